import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleSessions, type SignedIn } from '../../../api/console/page-context.js';
import { newId } from '../../../kernel/ids.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { OrganizationService } from '../../organization/index.js';
import { UsersService } from '../../users/index.js';
import type { ConsoleSession } from './console-session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session ends after this time without a page, and at the latest after the second one. */
export const IDLE_HOURS = 12;
export const LONGEST_DAYS = 14;
const IDLE_MS = IDLE_HOURS * 3_600_000;
const LONGEST_MS = LONGEST_DAYS * 86_400_000;
/** How exactly it is known when a session was last used. */
const SEEN_EVERY_MS = 60_000;
/** Sessions that a user can have. A further one ends the oldest. */
const SESSIONS_MAX = 20;
const USER_AGENT_MAX = 300;

export const SIGN_IN_PATH = '/console/sign-in';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Who is signed in to the console, by a cookie. User and organization are read with each page, so changes are in force at once. */
@Injectable()
@Implements(ConsoleSessions)
export class SessionsService implements ConsoleSessions {
  /** Browsers accept a cookie with this prefix only from the host itself, over https. */
  private readonly cookie: string;
  private readonly isSecure: boolean;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly users: UsersService,
    private readonly organizations: OrganizationService,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.isSecure = settings.baseUrl?.startsWith('https:') ?? false;
    this.cookie = this.isSecure ? '__Host-claims_session' : 'claims_session';
  }

  signInPath(next: string): string {
    return next === '' ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`;
  }

  async of(request: FastifyRequest): Promise<SignedIn | undefined> {
    const session = await this.sessionOf(request);
    const user = session && (await this.users.byId(session.userId));
    if (!session || !user) return undefined;
    const { id, name, slug, plan, status, timeZone } = await this.organizations.byId(user.organizationId);
    this.see(session, request.ip);
    const { email, role } = user;
    return {
      sessionId: session.id,
      user: { id: user.id, name: user.name, email, role },
      organization: { id, name, slug, plan, status, timeZone },
      csrf: this.csrfOf(session),
    };
  }

  /** Always a new session: nobody can prepare one for somebody else. */
  async begin(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.timestamp();
    const session: ConsoleSession = {
      id: newId(),
      userId,
      tokenHash: hashOf(token),
      ipAddress: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: this.later(LONGEST_MS),
    };
    await this.sessions.insert(session, SESSIONS_MAX);
    this.setCookie(reply, token, LONGEST_MS / 1000);
  }

  list(userId: string): Promise<ConsoleSession[]> {
    return this.sessions.ofUser(userId, this.clock.timestamp(), this.later(-IDLE_MS));
  }

  async end(reply: FastifyReply, { sessionId, user }: Pick<SignedIn, 'sessionId'> & { user: { id: string } }): Promise<void> {
    await this.sessions.delete(sessionId, user.id);
    this.setCookie(reply, '', 0);
  }

  /** Ends one session of a user, in this browser or another one. false if they have none with this id. */
  endOne(userId: string, sessionId: string): Promise<boolean> {
    return this.sessions.delete(sessionId, userId);
  }

  /** Ends all sessions of a user but this one. Returns how many there were. */
  endOthers(userId: string, sessionId: string): Promise<number> {
    return this.sessions.deleteOthers(userId, sessionId);
  }

  @Job({ id: 'console.expire', summary: 'Removes sessions and sign-in links of the console that have expired.', everyMs: 600_000 })
  async expire(): Promise<void> {
    while ((await this.sessions.expire(this.clock.timestamp(), ROWS_PER_DELETE)) === ROWS_PER_DELETE);
  }

  private async sessionOf({ headers }: FastifyRequest): Promise<ConsoleSession | undefined> {
    const token = new RegExp(`(?:^|; )${this.cookie}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
    return token === undefined ? undefined : this.sessions.byToken(hashOf(token), this.clock.timestamp(), this.later(-IDLE_MS));
  }

  /** Not awaited: a page does not wait for it, and nothing is lost if it fails. */
  private see({ id, lastSeenAt }: ConsoleSession, address: string): void {
    const now = this.clock.now();
    if (now.getTime() - Date.parse(lastSeenAt) < SEEN_EVERY_MS) return;
    this.sessions.see(id, now.toISOString(), address).catch(() => undefined);
  }

  private csrfOf({ tokenHash }: ConsoleSession): string {
    return createHmac('sha256', this.secrets.keysFor('console forms')[0]!).update(tokenHash).digest('base64url');
  }

  private setCookie(reply: FastifyReply, value: string, seconds: number): void {
    const secure = this.isSecure ? '; Secure' : '';
    reply.header('Set-Cookie', `${this.cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
  }

  private later(ms: number): string {
    return new Date(this.clock.now().getTime() + ms).toISOString();
  }
}
