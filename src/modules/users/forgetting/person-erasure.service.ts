import { Injectable } from '@nestjs/common';
import { PageRefusal } from '../../../api/console/page.js';
import { type Actor, changeContext, OPERATOR } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { notFound } from '../../../kernel/problems.js';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { ForgottenPeople } from '../../audit/index.js';
import { emailKeyOf, findManager, lastOwner, requireManager } from '../user-rules.js';
import { noCredentials, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { type FoundOfPerson, PeopleRepository } from './people.repository.js';

export interface ErasedPerson {
  readonly id: string;
  readonly found: readonly FoundOfPerson[];
}

/** Longer than a call takes that was let in before the person had no access any more. */
const LONGEST_CALL_MS = 5 * 60_000;

/** Forgets who a user is: at once in the log, whose hashes stay, then table by table. Interrupted, it goes on when it is called again. */
@Injectable()
export class PersonErasure {
  constructor(
    private readonly users: UsersRepository,
    private readonly people: PeopleRepository,
    private readonly forgotten: ForgottenPeople,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: DatabaseClock,
  ) {}

  /** All users that the id or the address names, also removed ones: somebody may have been removed and invited again. */
  async find(organizationId: string, idOrEmail: string): Promise<User[]> {
    const found = await this.users.everNamed(organizationId, isUuid(idOrEmail) ? idOrEmail : null, emailKeyOf(idOrEmail));
    return found.length > 0 ? found : notFound(`There is no user ${idOrEmail} in this organization.`);
  }

  /** What would become of what is there, without a change. */
  async plan(user: User): Promise<ErasedPerson> {
    return { id: user.id, found: await this.people.forget(user, false) };
  }

  async erase(actor: Actor, { id, organizationId, email }: User): Promise<ErasedPerson> {
    await this.forgotten.seal(organizationId);
    await this.begin(actor, organizationId, id);
    const found = await this.people.forget({ id, organizationId, email }, true);
    await this.forgotten.finish(organizationId, id, this.clock.timestamp());
    return { id, found };
  }

  @Job({
    id: 'users.forget',
    summary: 'Erases of people who are being forgotten what an interrupted erasure has left, or a call has written meanwhile.',
    everyMs: 60_000,
  })
  async goOn(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LONGEST_CALL_MS).toISOString();
    for (const { personId } of await this.forgotten.unfinished(before)) {
      const user = await this.users.byId(personId);
      if (user) await this.erase(OPERATOR, user);
    }
  }

  /** From here on nobody can sign in as the user, and the log says nothing of them. */
  private async begin(actor: Actor, organizationId: string, id: string): Promise<void> {
    const manager = await findManager(this.users, actor);
    await this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const owners = await this.users.lockOwners(organizationId, ctx.unit);
      const user = (await this.users.lock(id, ctx.unit))!;
      requireManager(manager, user);
      if (manager && manager.role !== 'owner') throw new PageRefusal('You may not do this', 'This takes the role owner.');
      if (owners.length === 1 && owners[0]!.id === id) throw lastOwner();
      const now = this.clock.timestamp();
      await this.users.update({ ...user, status: 'removed', ...noCredentials(id), updatedAt: now }, ctx.unit);
      if (await this.forgotten.forget(organizationId, id, now, ctx.unit))
        this.audit.record(ctx, { action: 'person.erased', resourceId: id, changes: {} });
    });
  }
}
