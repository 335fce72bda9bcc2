import { Injectable } from '@nestjs/common';
import { type AuditAction, AuditRecorder } from '../../store/audit/audit-recorder.js';
import { changesBetween } from '../../kernel/changes.js';
import { Clock } from '../../kernel/time.js';
import { type ChangeContext, changeContext, type Actor } from '../../kernel/context.js';
import { type InTransaction, UnitOfWork } from '../../store/database/unit-of-work.js';
import { Implements } from '../../store/discovery/ports.js';
import { NoticeRecipients } from '../organization/index.js';
import { Passwords } from './sign-in/passwords.js';
import { UserDto } from './user.dto.js';
import { noCredentials, type User } from './user.entity.js';
import { aNewUser, emailKeyOf, explainDuplicate, factsOf, lastOwner, findManager, requireManager, userNotFound } from './user-rules.js';
import type { Manager, NewUser, UserFacts } from './user-rules.js';
import { UsersRepository } from './users.repository.js';

type ManagingContext = InTransaction<ChangeContext> & { readonly manager: Manager };

/** Of a large organization only some owners get notices: one to all would be a flood. */
const MAX_OWNERS_TOLD = 20;

@Implements(NoticeRecipients)
@Injectable()
export class UsersService implements NoticeRecipients {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
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
