import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleSessions, type OtherOrganization, type SignedIn, type SignInWay } from '../../../api/console/page-context.js';
import { newId } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { OrganizationService } from '../../organization/index.js';
import { Accounts, SignInRulesService, type UserFacts } from '../../users/index.js';
import type { ConsoleSession } from './console-session.entity.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session ends after this time without a page, and at the latest after the second one. */
export const IDLE_HOURS = 12;
export const LONGEST_DAYS = 14;
/** Of a sign-in by a company's account: whoever leaves the company does not stay signed in for long. */
const LONGEST_SINGLE_SIGN_ON_MS = 86_400_000;
const IDLE_MS = IDLE_HOURS * 3_600_000;
const LONGEST_MS = LONGEST_DAYS * 86_400_000;
/** How exactly it is known when a session was last used. */
const SEEN_EVERY_MS = 60_000;
/** Sessions that a user can have. A further one ends the oldest. */
const SESSIONS_MAX = 20;
const USER_AGENT_MAX = 300;

export const SIGN_IN_PATH = '/console/sign-in';
/** Sign-in does not depend on the environment, and people begin with test data. */
const SECOND_FACTOR_PATH = '/console/test/security/second-factor';

/** Somebody who is signed in, with their users in other organizations. */
type Person = Pick<SignedIn, 'user' | 'others'>;

export const userIdsOf = ({ user, others }: Person): string[] => [user.id, ...others.map(({ userId }) => userId)];

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Who is signed in to the console, by a cookie. User and organization are read with each page, so changes are in force at once. */
@Injectable()
@Implements(ConsoleSessions)
export class SessionsService implements ConsoleSessions {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly rules: SignInRulesService,
    private readonly accounts: Accounts,
    private readonly organizations: OrganizationService,
    private readonly cookie: SessionCookie,
    private readonly clock: Clock,
  ) {}

  readonly secondFactorPath = SECOND_FACTOR_PATH;

  signInPath(next: string): string {
    return next === '' ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`;
  }

  async of(request: FastifyRequest): Promise<SignedIn | undefined> {
    const session = await this.sessionOf(request);
    const user = session && (await this.rules.signedIn(session.userId, { withPassword: session.signedInBy === 'password' }));
    if (!session || !user) return undefined;
    const { signedInBy } = session;
    const [organization, others] = await Promise.all([
      this.organizations.byId(user.organizationId),
      signedInBy === 'single_sign_on' ? [] : this.others(user),
    ]);
    const { id, name, slug, plan, status, timeZone, requireSecondFactor } = organization;
    this.see(session, request.ip);
    const { email, role } = user;
    return {
      sessionId: session.id,
      user: { id: user.id, name: user.name, email, role },
      organization: { id, name, slug, plan, status, timeZone, includes: (required) => this.organizations.plans.includes(plan, required) },
      signedInBy,
      others,
      lacksSecondFactor: requireSecondFactor && !user.totp && signedInBy !== 'single_sign_on',
      csrf: this.cookie.csrfOf(session.tokenHash),
    };
  }

  /** The same person in other organizations. */
  private async others(user: UserFacts): Promise<OtherOrganization[]> {
    const others = (await this.accounts.usersOf(user.accountId)).filter(({ id }) => id !== user.id);
    if (others.length === 0) return [];
    const names = new Map(
      (await this.organizations.namesOf(others.map(({ organizationId }) => organizationId))).map((one) => [one.id, one.name]),
    );
    return others.map(({ id, organizationId }) => ({ userId: id, name: names.get(organizationId) ?? '' }));
  }

  /** Always a new session: nobody can prepare one for somebody else. */
  async begin(request: FastifyRequest, reply: FastifyReply, userId: string, signedInBy: SignInWay): Promise<void> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.timestamp();
    const longestMs = signedInBy === 'single_sign_on' ? LONGEST_SINGLE_SIGN_ON_MS : LONGEST_MS;
    const session: ConsoleSession = {
      id: newId(),
      userId,
      tokenHash: hashOf(token),
      signedInBy,
      ipAddress: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: this.later(longestMs),
    };
    await this.sessions.insert(session, SESSIONS_MAX);
    this.cookie.set(reply, token, longestMs / 1000);
  }

  /** Goes on as another user of the same account. false if there is none, or not without signing in again. */
  async switchTo(request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn, userId: string): Promise<boolean> {
    if (!signedIn.others.some((other) => other.userId === userId)) return false;
    await this.end(reply, signedIn);
    await this.begin(request, reply, userId, signedIn.signedInBy);
    return true;
  }

  /** The sessions of a person, in all their organizations. */
  list(person: Person): Promise<ConsoleSession[]> {
    return this.sessions.ofUsers(userIdsOf(person), this.clock.timestamp(), this.later(-IDLE_MS));
  }

  async end(reply: FastifyReply, { sessionId, user }: Pick<SignedIn, 'sessionId' | 'user'>): Promise<void> {
    await this.sessions.delete(sessionId, [user.id]);
    this.cookie.set(reply, '', 0);
  }

  /** Ends one session of a person, in this browser or another one. false if they have none with this id. */
  endOne(person: Person, sessionId: string): Promise<boolean> {
    return this.sessions.delete(sessionId, userIdsOf(person));
  }

  /** Ends all sessions of a person but this one. Returns how many there were. */
  endOthers(person: Person & Pick<SignedIn, 'sessionId'>): Promise<number> {
    return this.sessions.deleteOthers(userIdsOf(person), person.sessionId);
  }

  /** Ends what was begun with a password that has changed: all sessions but one, and all links. */
  async endAfterChange(userIds: readonly string[], unit: Unit, sessionId?: string): Promise<void> {
    await this.sessions.deleteOthers(userIds, sessionId, unit);
    await this.sessions.endLinks(userIds, unit);
  }

  @Job({ id: 'console.expire', summary: 'Removes sessions and sign-in links of the console that have expired.', everyMs: 600_000 })
  async expire(): Promise<void> {
    while ((await this.sessions.expire(this.clock.timestamp(), ROWS_PER_DELETE)) === ROWS_PER_DELETE);
  }

  private async sessionOf(request: FastifyRequest): Promise<ConsoleSession | undefined> {
    const token = this.cookie.tokenIn(request);
    return token === undefined ? undefined : this.sessions.byToken(hashOf(token), this.clock.timestamp(), this.later(-IDLE_MS));
  }

  /** Not awaited: a page does not wait for it, and nothing is lost if it fails. */
  private see({ id, lastSeenAt }: ConsoleSession, address: string): void {
    const now = this.clock.now();
    if (now.getTime() - Date.parse(lastSeenAt) < SEEN_EVERY_MS) return;
    this.sessions.see(id, now.toISOString(), address).catch(() => undefined);
  }

  private later(ms: number): string {
    return new Date(this.clock.now().getTime() + ms).toISOString();
  }
}
