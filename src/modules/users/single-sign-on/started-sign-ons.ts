import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure } from '../../../api/http/other-site.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { Secrets } from '../../../store/secrets/secrets.js';

const MINUTES = 10;
const OWNER = 'a sign-in by an identity provider';

export interface StartedSignOn {
  readonly organizationId: string;
  /** Names the way by which it was begun. */
  readonly key: string;
  /** What the way wants back. */
  readonly kept: string;
  readonly next: string;
}

/** Remembers a sign-in in the browser that has begun it, encrypted: nobody can make another browser go on with it. */
@Injectable()
export class StartedSignOns {
  /** Browsers accept a cookie with this prefix only from the host itself, over https. */
  private readonly cookie: string;
  private readonly secure: string;

  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.cookie = isSecure(settings) ? '__Host-claims_sign_on' : 'claims_sign_on';
    this.secure = isSecure(settings) ? '; Secure' : '';
  }

  keep(reply: FastifyReply, started: StartedSignOn): void {
    const until = this.clock.now().getTime() + MINUTES * 60_000;
    const value = this.secrets.encrypt(JSON.stringify({ ...started, until }), OWNER).toString('base64url');
    this.setCookie(reply, value, MINUTES * 60);
  }

  /** Once: the browser forgets it. */
  take({ headers }: FastifyRequest, reply: FastifyReply): StartedSignOn | undefined {
    const value = new RegExp(`(?:^|; )${this.cookie}=([\\w-]{1,3000})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
    this.setCookie(reply, '', 0);
    if (value === undefined) return undefined;
    try {
      const { until, ...started } = JSON.parse(this.secrets.decrypt(Buffer.from(value, 'base64url'), OWNER)) as StartedSignOn & {
        readonly until: number;
      };
      return until > this.clock.now().getTime() ? started : undefined;
    } catch {
      return undefined;
    }
  }

  private setCookie(reply: FastifyReply, value: string, seconds: number): void {
    void reply.header('Set-Cookie', `${this.cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${this.secure}`);
  }
}
