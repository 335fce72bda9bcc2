import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { UsersService, type UserFacts } from '../../users/index.js';
import { CONNECTIONS_PATH } from '../routes.js';

const COOKIE = 'claims_connections';
const OWNER = 'session of the connected applications';
/** Long enough to look through a list, and short for a browser that others use, too. */
const SESSION_MS = 30 * 60_000;

interface Content {
  readonly userId: string;
  readonly until: number;
}

export interface SignedIn {
  readonly user: UserFacts;
  /** Proves that a form was shown to this browser. */
  readonly csrf: string;
}

/** Who is signed in to the page of connected applications, by an encrypted cookie. A user who was removed is not. */
@Injectable()
export class ConnectionsSession {
  constructor(
    private readonly secrets: Secrets,
    private readonly settings: Settings,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  async of({ headers }: FastifyRequest): Promise<SignedIn | undefined> {
    const value = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
    const content = value === undefined ? undefined : this.read(value);
    if (!content || content.until <= this.clock.now().getTime()) return undefined;
    const user = await this.users.byId(content.userId);
    return user && { user, csrf: this.csrfOf(value!) };
  }

  isOwnForm({ csrf }: SignedIn, given: string): boolean {
    const [a, b] = [csrf, given].map((text) => createHmac('sha256', 'compared').update(text).digest());
    return timingSafeEqual(a!, b!);
  }

  begin(reply: FastifyReply, userId: string): void {
    const content: Content = { userId, until: this.clock.now().getTime() + SESSION_MS };
    this.set(reply, this.secrets.encrypt(JSON.stringify(content), OWNER).toString('base64url'), SESSION_MS / 1000);
  }

  end(reply: FastifyReply): void {
    this.set(reply, '', 0);
  }

  private set(reply: FastifyReply, value: string, seconds: number): void {
    const secure = this.settings.publicUrl.startsWith('https:') ? '; Secure' : '';
    reply.header('Set-Cookie', `${COOKIE}=${value}; Path=${CONNECTIONS_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
  }

  private read(value: string): Content | undefined {
    try {
      return JSON.parse(this.secrets.decrypt(Buffer.from(value, 'base64url'), OWNER)) as Content;
    } catch {
      return undefined;
    }
  }

  private csrfOf(value: string): string {
    return createHmac('sha256', this.secrets.keysFor('oauth forms')[0]!).update(value).digest('base64url');
  }
}
