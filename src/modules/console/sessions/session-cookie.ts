import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../../../kernel/settings/settings.js';
import { Secrets } from '../../../store/secrets/secrets.js';

/** The cookie that a browser is known by, and what proves that a form was shown to this browser. */
@Injectable()
export class SessionCookie {
  /** Browsers accept a cookie with this prefix only from the host itself, over https. */
  private readonly name: string;
  private readonly isSecure: boolean;

  constructor(
    private readonly secrets: Secrets,
    settings: Settings,
  ) {
    this.isSecure = settings.baseUrl?.startsWith('https:') ?? false;
    this.name = this.isSecure ? '__Host-claims_session' : 'claims_session';
  }

  tokenIn({ headers }: FastifyRequest): string | undefined {
    return new RegExp(`(?:^|; )${this.name}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
  }

  set(reply: FastifyReply, value: string, seconds: number): void {
    const secure = this.isSecure ? '; Secure' : '';
    reply.header('Set-Cookie', `${this.name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
  }

  csrfOf(tokenHash: Buffer): string {
    return createHmac('sha256', this.secrets.keysFor('console forms')[0]!).update(tokenHash).digest('base64url');
  }
}
