import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConsoleSessions } from '../../api/console/page.js';
import { letter } from '../../api/mail/letter.js';
import { wordingForCountry } from '../../api/wording/page-wording.js';
import { changedProperties, changesBetween } from '../../kernel/changes.js';
import { type ChangeContext, changeContext, type Actor } from '../../kernel/context.js';
import { API_NAME } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { type AuditAction, AuditRecorder } from '../../store/audit/audit-recorder.js';
import type { CustomValues } from '../../store/database/columns.js';
import { type InTransaction, UnitOfWork, type Unit } from '../../store/database/unit-of-work.js';
import { Implements, Ports } from '../../store/discovery/ports.js';
import { Events } from '../../store/events/events.js';
import { MailOutbox, MailSender } from '../../store/mail/mail-outbox.js';
import { NoticeRecipients, OrganizationService, type Organization } from '../organization/index.js';
import { Passwords } from './sign-in/passwords.js';
import { type Attempt, SignInRulesService } from './sign-in/sign-in.service.js';
import { aNewUser, emailKeyOf, explainDuplicate, factsOf, lastOwner, findManager, requireManager, userNotFound } from './user-rules.js';
import { type Manager, type NewUser, type UserFacts, alreadyExists, actorOf } from './user-rules.js';
import { USER_FIELDS, UserDto } from './user.dto.js';
import { noCredentials, type User, type Credentials, credentialsOf } from './user.entity.js';
import { UserInvited } from './users.events.js';
import { UsersRepository } from './users.repository.js';

type ManagingContext = InTransaction<ChangeContext> & { readonly manager: Manager };

/** Of a large organization only some owners get notices: one to all would be a flood. */
const MAX_OWNERS_TOLD = 20;

@Implements(NoticeRecipients)
export class UsersService implements NoticeRecipients {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly ports: Ports,
  ) {}

  /** The users of an organization, without those who were removed. */
  async list(organizationId: string): Promise<UserFacts[]> {
    return (await this.users.ofOrganization(organizationId)).map(factsOf);
  }

  /** Notices are for the owners who have access. */
  async findAddresses({ organizationId, unit }: InTransaction<ChangeContext>): Promise<string[]> {
    return (await this.users.owners(organizationId, MAX_OWNERS_TOLD, unit)).map(({ email }) => email);
  }

  /** The user with this id, also one without access. Throws if there never was one. */
  async get(id: string): Promise<UserFacts> {
    return factsOf(await this.users.existing(id));
  }

  async member(organizationId: string, id: string): Promise<UserFacts> {
    const user = await this.users.existing(id);
    if (user.organizationId !== organizationId || user.status === 'removed') throw userNotFound(id);
    return factsOf(user);
  }

  /** A user who has access; undefined for all others. */
  async byId(id: string): Promise<UserFacts | undefined> {
    const user = await this.users.byId(id);
    return user?.status === 'active' ? factsOf(user) : undefined;
  }

  /** The active users with an e-mail address: in one organization if its slug is given, or else in the first two that they belong to. */
  async withEmail(email: string, slug = ''): Promise<UserFacts[]> {
    const emailKey = emailKeyOf(email);
    const organizations = (await this.users.findOrganizations(emailKey, slug)).slice(0, 2);
    const found = await Promise.all(organizations.map(({ organizationId }) => this.users.byEmail(organizationId, emailKey)));
    return found.flatMap((user) => (user ? factsOf(user) : []));
  }

  /** Creates a user who can sign in immediately. */
  async create(actor: Actor, wanted: NewUser & { readonly password: string }): Promise<UserFacts> {
    const user = aNewUser(wanted, this.clock.timestamp());
    user.passwordHash = await this.passwords.hash(wanted.password, user);
    user.status = 'active';
    return this.unitOfWork.run(changeContext(user.organizationId, actor), async (ctx) => {
      await this.users.insert(user, ctx.unit).catch(explainDuplicate);
      this.audit.record(ctx, { action: 'user.created', resourceId: user.id, changes: changesBetween(null, UserDto.from(user)) });
      return factsOf(user);
    });
  }

  /** Takes effect immediately: `byId` no longer finds the user. The e-mail address can be used again. */
  remove(actor: Actor, id: string): Promise<UserFacts> {
    return this.manage(actor, id, async (ctx, { user, isLastOwner }) => {
      requireManager(ctx.manager, user);
      if (user.status === 'removed') return factsOf(user);
      if (isLastOwner) throw lastOwner();
      await this.users.endInvitation(user.id, ctx.unit);
      return this.save(ctx, 'user.removed', user, { ...user, status: 'removed', ...noCredentials(user.id) });
    });
  }

  /** Takes effect with the next page that the user opens. */
  changeRole(actor: Actor, id: string, role: User['role']): Promise<UserFacts> {
    return this.manage(actor, id, async (ctx, { user, isLastOwner }) => {
      requireManager(ctx.manager, user, role);
      if (user.status === 'removed') throw userNotFound(id);
      if (user.role === role) return factsOf(user);
      if (isLastOwner) throw lastOwner();
      return this.save(ctx, 'user.role_changed', user, { ...user, role });
    });
  }

  /** Fields that extensions add. Those left out keep their value. */
  changeFields(actor: Actor, id: string, customFields: CustomValues): Promise<UserFacts> {
    USER_FIELDS.requireValid({ customFields });
    return this.manage(actor, id, async (ctx, { user }) => {
      if (ctx.manager?.id !== id) requireManager(ctx.manager, user);
      if (user.status === 'removed') throw userNotFound(id);
      const after = { ...user, ...USER_FIELDS.stored({ customFields }, user) };
      return changedProperties(user, after).length === 0 ? factsOf(user) : this.save(ctx, 'user.changed', user, after);
    });
  }

  /** Of the person, in whichever organization: from another one they could come back without signing in. Links that sign in end, too. */
  endSessions(actor: Actor, id: string): Promise<UserFacts> {
    return this.manage(actor, id, async (ctx, { user }) => {
      requireManager(ctx.manager, user);
      if (user.status !== 'active') throw userNotFound(id);
      const everywhere = (await this.users.ofAccount(user.accountId)).map((one) => one.id);
      await this.ports.only(ConsoleSessions)?.endAfterChange(everywhere, ctx.unit);
      this.audit.record(ctx, { action: 'user.sessions_ended', resourceId: id, changes: {} });
      return factsOf(user);
    });
  }

  /** Locks the owners and the user: two owners cannot remove or demote each other at the same time. */
  private async manage(
    actor: Actor,
    id: string,
    work: (ctx: ManagingContext, managed: { user: User; isLastOwner: boolean }) => Promise<UserFacts>,
  ): Promise<UserFacts> {
    const { organizationId } = await this.users.existing(id);
    const manager = await findManager(this.users, actor);
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const owners = await this.users.lockOwners(organizationId, ctx.unit);
      const user = await this.users.lock(id, ctx.unit);
      if (!user) throw userNotFound(id);
      return work({ ...ctx, manager }, { user, isLastOwner: owners.length === 1 && owners[0]!.id === user.id });
    });
  }

  private async save(ctx: InTransaction<ChangeContext>, action: AuditAction, before: User, changed: User): Promise<UserFacts> {
    const after = { ...changed, updatedAt: this.clock.timestamp() };
    await this.users.update(after, ctx.unit);
    this.audit.record(ctx, { action, resourceId: after.id, changes: changesBetween(factsOf(before), factsOf(after)) });
    return factsOf(after);
  }
}

/** The link is shown once. Only the hash of its token is stored. */
export interface Invitation {
  readonly user: UserFacts;
  readonly link: string;
  readonly expiresAt: string;
  readonly mailed: boolean;
}

@Injectable()
export class InvitationMail {
  constructor(
    private readonly settings: Settings,
    private readonly sender: MailSender,
    private readonly outbox: MailOutbox,
  ) {}

  linkFor(token: string): string {
    return `${this.settings.publicUrl}/invitations/${token}`;
  }

  /** Part of the transaction: nobody gets a link that does not work. Without mail nothing is queued: the inviter passes the link on. */
  queue(ctx: InTransaction<ChangeContext>, to: string, { name, country }: Inviting, link: string): boolean {
    if (!this.sender.sendsMail) return false;
    const { say, language } = wordingForCountry(country);
    const parts = [
      say('invitation.mailAbout', { product: API_NAME, organization: name, days: INVITATION_DAYS }),
      { label: say('invitation.mailAccept'), href: country === null ? link : `${link}?lang=${language}` },
      say('invitation.mailEnd'),
    ];
    const invitation = letter(say('invitation.mailSubject', { product: API_NAME }), parts, language);
    this.outbox.queue(ctx, { to, ...invitation });
    return true;
  }
}

@Injectable()
export class InvitationsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly organizations: OrganizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly mail: InvitationMail,
    private readonly clock: Clock,
  ) {}

  /** A user who has not accepted yet can be invited again, also in another role. Only the newest link works. */
  invite(actor: Actor, wanted: NewUser): Promise<Invitation> {
    const context = { ...changeContext(wanted.organizationId, actor), emits: [UserInvited] };
    return this.unitOfWork.run(context, (ctx) => this.inviteIn(ctx, wanted));
  }

  async inviteIn(open: InTransaction<ChangeContext>, wanted: NewUser): Promise<Invitation> {
    // Users belong to both environments, and events about them are emitted in both.
    const ctx = { ...open, environment: null, emits: [UserInvited] };
    const createdAt = this.clock.timestamp();
    const expiresAt = new Date(Date.parse(createdAt) + INVITATION_DAYS * 86_400_000).toISOString();
    const token = makeToken();
    const { organizationId } = wanted;
    const manager = await findManager(this.users, ctx.actor);
    const link = this.mail.linkFor(token);
    const organization = await this.organizations.byId(organizationId);
    const { before, after } = await this.save(ctx, manager, aNewUser(wanted, createdAt));
    await this.users.replaceInvitation({ userId: after.id, organizationId, tokenHash: hashToken(token), expiresAt, createdAt }, ctx.unit);
    this.events.appendToAll(ctx, UserInvited, { before: before && UserDto.from(before), after: UserDto.from(after) });
    return { user: factsOf(after), link, expiresAt, mailed: this.mail.queue(ctx, after.email, organization, link) };
  }

  private async save({ unit }: InTransaction<ChangeContext>, manager: Manager, user: User): Promise<{ before: User | null; after: User }> {
    const known = await this.users.byEmail(user.organizationId, user.emailKey);
    const before = known && (await this.users.lock(known.id, unit));
    requireManager(manager, user);
    if (!before) {
      await this.users.insert(user, unit).catch(explainDuplicate);
      return { before: null, after: user };
    }
    if (before.status !== 'invited') throw alreadyExists();
    requireManager(manager, before, user.role);
    const after = { ...before, role: user.role, updatedAt: user.updatedAt };
    await this.users.update(after, unit);
    return { before, after };
  }
}

const INVITATION_DAYS = 7;
/** Lets secret scanners recognize a token. */
const PREFIX = 'invite_';

const makeToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The organization that somebody is invited to. They get the mail in the language of its country. */
type Inviting = Pick<Organization, 'name' | 'country'>;

type CallOrigin = Pick<Attempt, 'address' | 'requestId'>;

export interface OpenInvitation {
  readonly email: string;
  readonly organizationName: string;
  /** The short name of an organization that has switched passwords off; undefined for others. */
  readonly company: string | undefined;
}

/** The invited user's side of an invitation. The token in the link proves who they are. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly users: UsersRepository,
    private readonly rules: SignInRulesService,
    private readonly passwords: Passwords,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  /** Undefined when unknown, used, replaced or expired: callers cannot tell which. Reading does not use it up: mail scanners open links. */
  async find(token: string): Promise<OpenInvitation | undefined> {
    const user = await this.users.invited(hashToken(token), this.clock.timestamp());
    if (!user) return undefined;
    const { name, slug, allowsPasswords } = await this.rules.read(user.organizationId);
    return { email: user.email, organizationName: name, company: allowsPasswords ? undefined : slug };
  }

  /** Lets the user sign in. Undefined as in `find`. An invalid password does not use up the invitation. */
  async accept(token: string, password: string, origin: CallOrigin): Promise<UserFacts | undefined> {
    const invited = await this.users.invited(hashToken(token), this.clock.timestamp());
    if (!invited) return undefined;
    const passwordHash = await this.passwords.hash(password, invited);
    return this.admit(token, invited, origin, () => Promise.resolve({ ...invited, passwordHash }));
  }

  /** The same for somebody who has an account with the same e-mail address, and is signed in to it: they keep its credentials. */
  async join(token: string, memberId: string, origin: CallOrigin): Promise<UserFacts | undefined> {
    const invited = await this.users.invited(hashToken(token), this.clock.timestamp());
    if (!invited) return undefined;
    return this.admit(token, invited, origin, async (unit) => {
      const { accountId } = await this.users.existing(memberId);
      const member = (await this.users.lockAccount(accountId, unit)).find(({ id }) => id === memberId);
      return member?.status === 'active' && member.emailKey === invited.emailKey ? member : undefined;
    });
  }

  private admit(
    token: string,
    invited: User,
    { address, requestId }: CallOrigin,
    credentials: (unit: Unit) => Promise<Credentials | undefined>,
  ): Promise<UserFacts | undefined> {
    const context = { ...changeContext(invited.organizationId, actorOf(invited)), ipAddress: address, requestId };
    return this.unitOfWork.run(context, async (ctx) => {
      const given = await credentials(ctx.unit);
      const user = (await this.users.lock(invited.id, ctx.unit))!;
      const now = this.clock.timestamp();
      if (!given || !(await this.users.useInvitation(hashToken(token), now, ctx.unit))) return undefined;
      const accepted: User = { ...user, ...credentialsOf(given), status: 'active', updatedAt: now };
      await this.users.update(accepted, ctx.unit);
      this.audit.record(ctx, {
        action: 'user.accepted',
        resourceId: user.id,
        changes: { status: { from: user.status, to: accepted.status } },
      });
      return factsOf(accepted);
    });
  }
}
