import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure } from '../../../api/http/other-site.js';
import { changesBetween } from '../../../kernel/changes.js';
import { changeContext, type Actor, type ChangeContext } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { isStorableText } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type InTransaction, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { OrganizationService } from '../../organization/index.js';
import { pageWithin } from '../sign-in/page-within.js';
import { type Attempt, SignInAttempts } from '../sign-in/sign-in.service.js';
import { actorOf, aNewUser, emailKeyOf, explainDuplicate, factsOf, type UserFacts } from '../user-rules.js';
import { UserDto } from '../user.dto.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { CALLBACK_PATH } from './provider-client.js';
import { type SignInWay, type Vouched, type SignOnRefusal, reasonOf, type Person, personOf, SignInWays } from './sign-in-ways.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';

/** Who creates users and changes their roles by what the provider says. */
const PROVIDER: Actor = { type: 'system', id: null, name: 'single sign-on' };

export type Call = Pick<Attempt, 'address' | 'requestId'>;
type SigningIn = InTransaction<ChangeContext> & { readonly way: SignInWay; readonly person: Person };

/** By which way, and to which organization. The way has no say in the latter. */
export type Door = { readonly organizationId: string; readonly way: SignInWay };
export type RefusedSignOn = { readonly refused: SignOnRefusal };
export type SignOn = { readonly user: UserFacts } | RefusedSignOn;

/** Signs in whom an identity provider has vouched for: finds, accepts or creates the user of the one organization that it belongs to. */
@Injectable()
export class SignOnService {
  constructor(
    private readonly users: UsersRepository,
    private readonly signOns: SingleSignOnRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly attempts: SignInAttempts,
    private readonly clock: Clock,
  ) {}

  async signIn(door: Door, vouched: Vouched | SignOnRefusal, call: Call): Promise<SignOn> {
    const person = typeof vouched === 'string' ? vouched : personOf(vouched, door.way);
    const result = typeof person === 'string' ? person : await this.admit(door, person, call);
    if (typeof result !== 'string') return { user: factsOf(result) };
    return this.refuse(door, result, call, typeof person === 'string' ? '' : emailKeyOf(person.email));
  }

  /** The audit log shows it once a minute for each person and address. */
  refuse({ organizationId }: Pick<Door, 'organizationId'>, refused: SignOnRefusal, call: Call, emailKey = ''): RefusedSignOn {
    this.attempts.recordFailure({ organizationId, emailKey, ...call }, undefined, refused);
    return { refused };
  }

  private async admit({ organizationId, way }: Door, person: Person, call: Call): Promise<User | SignOnRefusal> {
    try {
      const context = { ...changeContext(organizationId, PROVIDER), ipAddress: call.address, requestId: call.requestId };
      return await this.unitOfWork.run(context, async (ctx) => {
        await this.signOns.queueUp(organizationId, ctx.unit);
        if (way.stillHolds && !(await way.stillHolds(ctx.unit))) return 'expired';
        return await this.find({ ...ctx, way, person });
      });
    } catch (error) {
      if (error instanceof Problem && error.code === 'limit_exceeded') return 'too_many_members';
      throw error;
    }
  }

  /** By subject first. An e-mail address counts only for a user who has never signed in by this provider. */
  private async find(ctx: SigningIn): Promise<User | SignOnRefusal> {
    const { organizationId, person, unit } = ctx;
    const { issuer, subject } = person;
    const identity = await this.signOns.findIdentity({ organizationId, issuer, subject }, unit);
    const tied = identity && (await this.users.lock(identity.userId, unit));
    if (tied && tied.status !== 'removed') return this.letIn(ctx, tied);
    const emailKey = emailKeyOf(person.email);
    const named = await this.users.byEmail(organizationId, emailKey);
    const user = named && (await this.users.lock(named.id, unit));
    if (user && user.status !== 'removed') {
      if (await this.signOns.hasIdentity(organizationId, user.id, unit)) return 'other_subject';
      // Of a user who was removed and invited again.
      if (identity) await this.signOns.deleteIdentity(identity, unit);
      await this.signOns.insertIdentity(ctx, user.id, { ...person, createdAt: this.clock.timestamp() });
      return this.letIn(ctx, user);
    }
    if (tied || user || (await this.signOns.wasRemoved(organizationId, emailKey, unit))) return 'user_removed';
    return this.create(ctx);
  }

  private async create(ctx: SigningIn): Promise<User> {
    const { organizationId, way, person, unit } = ctx;
    const { email, name, role = way.defaultRole } = person;
    const now = this.clock.timestamp();
    const user: User = { ...aNewUser({ organizationId, email, role, ...(name !== undefined && { name }) }, now), status: 'active' };
    await this.users.insert(user, unit).catch(explainDuplicate);
    this.audit.record(ctx, { action: 'user.created', resourceId: user.id, changes: changesBetween(null, UserDto.from(user)) });
    await this.signOns.insertIdentity(ctx, user.id, { ...person, createdAt: this.clock.timestamp() });
    return this.letIn(ctx, user);
  }

  /** Locked: the user cannot be removed meanwhile. Owners stay what people made them. */
  private async letIn(ctx: SigningIn, user: User): Promise<User> {
    const now = this.clock.timestamp();
    const role = user.role === 'owner' ? user.role : (ctx.person.role ?? user.role);
    const isChanged = role !== user.role || user.status !== 'active';
    const after: User = { ...user, role, status: 'active', lastSignInAt: now, updatedAt: isChanged ? now : user.updatedAt };
    await this.users.update(after, ctx.unit);
    if (user.status === 'invited') await this.users.endInvitation(user.id, ctx.unit);
    this.recordSignedIn(ctx, user, after);
    return after;
  }

  /** The role is changed by the provider; what else happens at a sign-in, the user does. */
  private recordSignedIn(ctx: InTransaction<ChangeContext>, before: User, after: User): void {
    const [resourceId, asUser] = [before.id, { ...ctx, actor: actorOf(before) }];
    if (before.status !== after.status)
      this.audit.record(asUser, { action: 'user.accepted', resourceId, changes: { status: { from: before.status, to: after.status } } });
    if (before.role !== after.role)
      this.audit.record(ctx, { action: 'user.role_changed', resourceId, changes: { role: { from: before.role, to: after.role } } });
    this.audit.record(asUser, { action: 'user.signed_in', resourceId, changes: { by: { from: null, to: 'single_sign_on' } } });
  }
}

type Started = { readonly url: string } | { readonly isUnknown: true } | RefusedSignOn;

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
    this.setCookie(reply, this.secrets.seal({ ...started, until }, OWNER), MINUTES * 60);
  }

  /** Once: the browser forgets it. */
  take({ headers }: FastifyRequest, reply: FastifyReply): StartedSignOn | undefined {
    const value = new RegExp(`(?:^|; )${this.cookie}=([\\w-]{1,3000})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
    this.setCookie(reply, '', 0);
    return value === undefined
      ? undefined
      : this.secrets.unseal<StartedSignOn & { readonly until: number }>(value, OWNER, this.clock.now());
  }

  private setCookie(reply: FastifyReply, value: string, seconds: number): void {
    void reply.header('Set-Cookie', `${this.cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${this.secure}`);
  }
}

/** The two steps of a sign-in otherwise than with a password. What providers say when something fails is shown and logged nowhere. */
@Injectable()
export class CompanySignIn {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly ways: SignInWays,
    private readonly started: StartedSignOns,
    private readonly signOns: SignOnService,
    private readonly settings: Settings,
  ) {}

  /** What the address of a provider may begin with. */
  get possibleTargets(): string[] {
    return ['https://provider', ...(this.settings.identityProviderAllowedNetworks.length > 0 ? ['http://provider'] : [])];
  }

  /** Where the browser goes now. An organization that does not exist is like one without single sign-on. */
  async start(reply: FastifyReply, slug: string, next: string, call: Call): Promise<Started> {
    const door = await this.findDoor(slug.trim().toLowerCase());
    if (!door) return { isUnknown: true };
    const { organizationId, way } = door;
    try {
      const { url, kept } = await this.ways.begin(way, this.settings.publicUrl + CALLBACK_PATH);
      this.started.keep(reply, { organizationId, key: way.key, kept, next });
      return { url };
    } catch (error) {
      return this.signOns.refuse(door, reasonOf(error), call);
    }
  }

  /** Who came back from the provider, and to which page they go. */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<{ readonly user: UserFacts; readonly next: string } | RefusedSignOn> {
    const started = this.started.take(request, reply);
    const door = started && (await this.findDoor(started.organizationId));
    if (!started || door?.way.key !== started.key) return { refused: 'expired' };
    const call = { address: request.ip, requestId: request.id };
    const query = new URLSearchParams(/\?.*$/s.exec(request.url)?.[0]);
    let vouched;
    try {
      vouched = await this.ways.finish(door.way, { query, headers: request.headers, kept: started.kept });
    } catch (error) {
      return this.signOns.refuse(door, reasonOf(error), call);
    }
    const result = await this.signOns.signIn(door, vouched, call);
    return 'refused' in result ? result : { ...result, next: pageWithin(started.next) };
  }

  private async findDoor(idOrSlug: string): Promise<Door | undefined> {
    if (idOrSlug === '' || !isStorableText(idOrSlug)) return undefined;
    try {
      const { id, slug } = await this.organizations.named(idOrSlug);
      const way = await this.ways.find({ id, slug });
      return way && { organizationId: id, way };
    } catch (error) {
      // It does not exist, or is being erased.
      if (error instanceof Problem && error.status < 500) return undefined;
      throw error;
    }
  }
}

const MINUTES = 10;
const OWNER = 'a sign-in by an identity provider';

interface StartedSignOn {
  readonly organizationId: string;
  /** Names the way by which it was begun. */
  readonly key: string;
  /** What the way wants back. */
  readonly kept: string;
  readonly next: string;
}
