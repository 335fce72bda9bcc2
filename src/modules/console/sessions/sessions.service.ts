import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleSessions, type BrowserRequest, type OtherOrganization, type SignedIn, type SignInWay } from '../../../api/console/page.js';
import { SIGNED_OUT_HEADERS } from '../../../api/console/open-pages.js';
import { isSecure } from '../../../api/http/other-site.js';
import { BriefCache } from '../../../kernel/brief-cache.js';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock, later } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { OrganizationService } from '../../organization/index.js';
import { Accounts, SignInRulesService, type UserFacts, UsersService } from '../../users/index.js';
import type { ConsoleSession, LinkPurpose } from './console-session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

/** The cookie that a browser is known by, and what proves that a form was shown to this browser. */
@Injectable()
export class SessionCookie {
  /** Browsers accept a cookie with this prefix only from the host itself, over https. */
  private readonly name: string;
  private readonly isSecure: boolean;
  private key: Buffer | undefined;

  constructor(
    private readonly secrets: Secrets,
    settings: Settings,
  ) {
    this.isSecure = isSecure(settings);
    this.name = this.isSecure ? '__Host-claims_session' : 'claims_session';
  }

  tokenIn({ headers }: BrowserRequest): string | undefined {
    return new RegExp(`(?:^|; )${this.name}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
  }

  set(reply: FastifyReply, value: string, seconds: number): void {
    const secure = this.isSecure ? '; Secure' : '';
    reply.header('Set-Cookie', `${this.name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
  }

  csrfOf(tokenHash: Buffer): string {
    return createHmac('sha256', (this.key ??= this.secrets.keysFor('console forms')[0]!))
      .update(tokenHash)
      .digest('base64url');
  }
}

/** A session ends after this time without a page, and at the latest after the second one. */
export const IDLE_HOURS = 12;
export const LONGEST_DAYS = 14;
/** Of a sign-in by a company's account: people who leave the company do not stay signed in for long. */
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

type Person = Pick<SignedIn, 'user' | 'others'>;

export const userIdsOf = ({ user, others }: Person): string[] => [user.id, ...others.map(({ userId }) => userId)];
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Who is signed in to the console, by a cookie. What that stands for is known to pages for half a second, as with keys. */
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

  private readonly known = new BriefCache<SignedIn | undefined>();
  readonly secondFactorPath = SECOND_FACTOR_PATH;
  readonly idleSeconds = IDLE_MS / 1000;

  signInPath(next: string): string {
    return next === '' ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`;
  }

  async findBriefly(request: BrowserRequest): Promise<SignedIn | undefined> {
    const token = this.cookie.tokenIn(request);
    return token === undefined ? undefined : this.known.get(token, () => this.read(request));
  }

  find(request: BrowserRequest): Promise<SignedIn | undefined> {
    // Who asks for it exactly may change it, and the next page shows that.
    this.known.forgetAll();
    return this.read(request);
  }

  private async read(request: BrowserRequest): Promise<SignedIn | undefined> {
    const session = await this.findSession(request);
    const admitted = session && (await this.rules.signedIn(session.userId, session.signedInBy));
    if (!admitted) return undefined;
    const { user, organization, lacksSecondFactor } = admitted;
    const { signedInBy } = session;
    const others = signedInBy === 'single_sign_on' ? [] : await this.others(user);
    const { id, name, slug, plan, status, timeZone } = organization;
    this.see(session, request.ip);
    const { email, role } = user;
    return {
      sessionId: session.id,
      user: { id: user.id, name: user.name, email, role },
      organization: { id, name, slug, plan, status, timeZone, includes: (required) => this.organizations.plans.includes(plan, required) },
      signedInBy,
      signedInAt: session.createdAt,
      others,
      lacksSecondFactor,
      csrf: this.cookie.csrfOf(session.tokenHash),
    };
  }

  private async others(user: UserFacts): Promise<OtherOrganization[]> {
    const others = (await this.accounts.findUsers(user.accountId)).filter(({ id }) => id !== user.id);
    if (others.length === 0) return [];
    const names = await this.organizations.findNames(others.map(({ organizationId }) => organizationId));
    const nameOf = (organizationId: string): string => names.find(({ id }) => id === organizationId)?.name ?? '';
    return others.map(({ id, organizationId }) => ({ userId: id, name: nameOf(organizationId) }));
  }

  /** Always a new session: nobody can prepare one for somebody else. A browser has one, so an earlier one ends. */
  async begin(request: FastifyRequest, reply: FastifyReply, userId: string, signedInBy: SignInWay): Promise<void> {
    const longestMs = signedInBy === 'single_sign_on' ? LONGEST_SINGLE_SIGN_ON_MS : LONGEST_MS;
    const createdAt = this.clock.timestamp();
    await this.beginUntil(later(this.clock, longestMs), request, reply, { userId, signedInBy, createdAt });
  }

  private async beginUntil(
    expiresAt: string,
    request: FastifyRequest,
    reply: FastifyReply,
    { userId, signedInBy, createdAt }: Pick<ConsoleSession, 'userId' | 'signedInBy' | 'createdAt'>,
  ): Promise<void> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.timestamp();
    const earlier = await this.findSession(request);
    const session: ConsoleSession = {
      id: newId(),
      userId,
      tokenHash: hashOf(token),
      signedInBy,
      ipAddress: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
      createdAt,
      lastSeenAt: now,
      expiresAt,
    };
    await this.sessions.insert(session, SESSIONS_MAX);
    if (earlier) await this.sessions.delete(earlier.id, [earlier.userId]);
    this.cookie.set(reply, token, Math.ceil((Date.parse(expiresAt) - Date.parse(now)) / 1000));
  }

  /** Goes on as another user of the same account, as long as before. false if there is none, or not without signing in again. */
  async switchTo(request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn, userId: string): Promise<boolean> {
    if (!signedIn.others.some((other) => other.userId === userId)) return false;
    const session = await this.findSession(request);
    // A link was made for one user. To the others of the account it is as good as the password, where passwords are allowed.
    if (!session || !(await this.rules.signedIn(userId, 'password'))) return false;
    const { expiresAt, createdAt, signedInBy } = session;
    const by = signedInBy === 'passkey' ? signedInBy : 'password';
    await this.beginUntil(expiresAt, request, reply, { userId, signedInBy: by, createdAt });
    return true;
  }

  list(person: Person): Promise<ConsoleSession[]> {
    return this.sessions.ofUsers(userIdsOf(person), this.clock.timestamp(), later(this.clock, -IDLE_MS));
  }

  async end(reply: FastifyReply, { sessionId, user }: Pick<SignedIn, 'sessionId' | 'user'>): Promise<void> {
    await this.sessions.delete(sessionId, [user.id]);
    this.cookie.set(reply, '', 0);
    reply.headers(SIGNED_OUT_HEADERS);
  }

  endOne(person: Person, sessionId: string): Promise<boolean> {
    return this.sessions.delete(sessionId, userIdsOf(person));
  }

  endOthers(person: Person & Pick<SignedIn, 'sessionId'>): Promise<number> {
    return this.sessions.deleteOthers(userIdsOf(person), person.sessionId);
  }

  async endAfterChange(userIds: readonly string[], unit: Unit, keptSession?: string): Promise<void> {
    await this.sessions.deleteOthers(userIds, keptSession, unit);
    await this.sessions.endLinks(userIds, unit);
  }

  @Job({ id: 'console.expire', summary: 'Removes sessions and sign-in links of the console that have expired.', everyMs: 600_000 })
  async expire(): Promise<void> {
    while ((await this.sessions.expire(this.clock.timestamp(), ROWS_PER_DELETE)) === ROWS_PER_DELETE);
  }

  private async findSession(request: BrowserRequest): Promise<ConsoleSession | undefined> {
    const token = this.cookie.tokenIn(request);
    return token === undefined ? undefined : this.sessions.byToken(hashOf(token), this.clock.timestamp(), later(this.clock, -IDLE_MS));
  }

  /** Not awaited: a page does not wait for it, and nothing is lost if it fails. */
  private see({ id, lastSeenAt }: ConsoleSession, address: string): void {
    const now = this.clock.now();
    if (now.getTime() - Date.parse(lastSeenAt) < SEEN_EVERY_MS) return;
    this.sessions.see(id, now.toISOString(), address).catch(() => undefined);
  }
}

export const LINK_MINUTES = 30;
const LINKS_PATH = '/console/links';
export const NEW_PASSWORD_PATH = '/console/new-password';

/** Where a link leads, and how its token begins: secret scanners recognize it by that. */
const PURPOSES: Record<LinkPurpose, { readonly path: string; readonly prefix: string }> = {
  sign_in: { path: LINKS_PATH, prefix: 'signin_' },
  new_password: { path: NEW_PASSWORD_PATH, prefix: 'password_' },
};

export type IssuedLink = Readonly<Record<'link' | 'expiresAt', string>>;

/** Links that are as good as a password, once and for half an hour. */
@Injectable()
export class OneTimeLinks {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly users: UsersService,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async issue(purpose: LinkPurpose, userId: string, unit: Unit): Promise<IssuedLink> {
    const { path, prefix } = PURPOSES[purpose];
    const token = prefix + randomBytes(32).toString('base64url');
    const expiresAt = later(this.clock, LINK_MINUTES * 60_000);
    await this.repository.insertLink({ tokenHash: hashOf(token), userId, purpose, expiresAt }, unit);
    return { link: `${this.settings.publicUrl}${path}/${token}`, expiresAt };
  }

  /** Whose link it is; undefined if it is unknown, used or expired. Reading does not use it up: mail scanners open links, too. */
  async findUser(purpose: LinkPurpose, token: string): Promise<UserFacts | undefined> {
    const userId = await this.repository.userOfLink(purpose, hashOf(token), this.clock.timestamp());
    return userId === undefined ? undefined : this.users.byId(userId);
  }

  /** Uses the link up. false if somebody else was faster. */
  use(purpose: LinkPurpose, token: string, unit: Unit): Promise<boolean> {
    return this.repository.useLink(purpose, hashOf(token), this.clock.timestamp(), unit);
  }
}

/** Links for operators to hand out: they sign a user in once, without a password, or let them choose one. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
  ) {}

  make(actor: Actor, { id, organizationId }: Pick<UserFacts, 'id' | 'organizationId'>, purpose: LinkPurpose = 'sign_in') {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const issued = await this.links.issue(purpose, id, ctx.unit);
      this.audit.record(ctx, { action: 'user.link_made', resourceId: id, changes: { expiresAt: { from: null, to: issued.expiresAt } } });
      return issued;
    });
  }

  find(token: string): Promise<UserFacts | undefined> {
    return this.links.findUser('sign_in', token);
  }

  async use(token: string, call: { readonly requestId: string; readonly ipAddress: string }): Promise<UserFacts | undefined> {
    const user = await this.find(token);
    if (!user) return undefined;
    const { id, name, organizationId } = user;
    return this.unitOfWork.run(changeContext(organizationId, { type: 'user', id, name, call }), async (ctx) => {
      if (!(await this.links.use('sign_in', token, ctx.unit))) return undefined;
      this.audit.record(ctx, { action: 'user.signed_in', resourceId: id, changes: { by: { from: null, to: 'link' } } });
      return user;
    });
  }
}
