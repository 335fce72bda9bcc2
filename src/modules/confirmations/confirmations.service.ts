import { Injectable } from '@nestjs/common';
import { type Asking, Agreements, ConfirmationNeeded } from '../../api/call/agreements.js';
import type { ConsoleUser, PageContext } from '../../api/console/page.js';
import type { RegisteredOperation } from '../../api/operation/operation.js';
import { changesBetween } from '../../kernel/changes.js';
import type { Tenant } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { lackOf } from '../../kernel/permissions.js';
import { existing, Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { later } from '../../kernel/time.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { oneAtATime, ROWS_PER_DELETE } from '../../store/database/housekeeping.js';
import { UnitOfWork, type WriteContext } from '../../store/database/unit-of-work.js';
import { Implements } from '../../store/discovery/ports.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { EncryptedColumns, Secrets } from '../../store/secrets/secrets.js';
import { UsersService } from '../users/index.js';
import type { AgreedWay, Confirmation } from './confirmation.entity.js';
import { ConfirmationsRepository, type NewConfirmation, type OfCall, removal } from './confirmations.repository.js';

/** How long people may take to agree, and a model afterwards to repeat its call. */
const LASTS_MS = 5 * 60_000;
const KEPT_MS = 24 * 3_600_000;
/** How many calls of a credential can wait for people. */
export const OPEN_MAX = 100;

/** What would be sent, as people are shown it. */
export type Shown = Pick<Asking['sent'], 'params' | 'query' | 'body' | 'key'>;

const ownerOf = (organizationId: string, id: string): string => `confirmation ${organizationId} ${id}`;
const isYours = ({ call, tool, rule }: Asking, { id }: Pick<Confirmation, 'id'>): boolean =>
  rule === 'person' && tool.reply?.confirmation === id && !call.isDryRun && tool.reply.isYes;

const ofCall = ({ call: { caller }, digest, rule }: Asking): OfCall => ({
  credentialId: caller.id,
  userId: caller.user?.id ?? null,
  digest,
  rule,
});

/** What people are asked before a tool changes something, and what they said. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly rows: ConfirmationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: DatabaseClock,
    private readonly secrets: Secrets,
    private readonly users: UsersService,
  ) {}

  /** Those who agreed on the page may have left since, or have another role. */
  async mayStillAgree({ firstAgreedBy, agreedBy }: Confirmation, operation: RegisteredOperation): Promise<boolean> {
    const agreed = [firstAgreedBy, agreedBy].filter((id) => id !== null);
    const people = await Promise.all(agreed.map((id) => this.users.byId(id)));
    return people.every((user) => user && !lackOf({ user }, operation));
  }

  /** Those that somebody may still agree to, the newest first. */
  async open(ctx: PageContext): Promise<Confirmation[]> {
    return (await this.rows.open(ctx, this.clock.timestamp(), OPEN_MAX)).filter(({ operation }) => ctx.can(operation));
  }

  get(ctx: PageContext, id: string): Promise<Confirmation> {
    return existing('confirmation', id, () => this.rows.byId(ctx, id));
  }

  shownOf({ organizationId, id, shown }: Confirmation): Shown {
    return JSON.parse(this.secrets.decrypt(shown, ownerOf(organizationId, id))) as Shown;
  }

  isOpen({ agreedAt, refusedAt, usedAt, expiresAt }: Confirmation): boolean {
    return agreedAt === null && refusedAt === null && usedAt === null && Date.parse(expiresAt) > this.clock.now().getTime();
  }

  /** By somebody who may do it themselves. Returns whether another person has to agree, too. */
  agree(ctx: PageContext, id: string): Promise<boolean> {
    return this.answer(ctx, id, async (inner, row) => {
      const isFirst = row.rule === 'two_people' && row.firstAgreedBy === null;
      if (row.firstAgreedBy === ctx.user.id)
        throw new Problem('validation_failed', { detail: 'You have agreed already: another person has to agree, too.' });
      if (isFirst) await this.rows.agreeFirst(inner, id, ctx.user.id);
      else await this.agreeIn(inner, row, 'page', ctx.user);
      if (isFirst) this.record(inner, 'confirmation.agreed', row, 'page');
      return isFirst;
    });
  }

  refuse(ctx: PageContext, id: string): Promise<void> {
    return this.answer(ctx, id, (inner, row) => this.refuseIn(inner, row, 'page'));
  }

  async agreeIn(ctx: WriteContext, row: Confirmation, way: AgreedWay, user: Pick<ConsoleUser, 'id'> | null): Promise<void> {
    const by = { userId: user?.id ?? null, way, now: this.clock.timestamp(), until: later(this.clock, LASTS_MS) };
    await this.rows.agree(ctx, row.id, by);
    this.record(ctx, 'confirmation.agreed', row, way);
  }

  async refuseIn(ctx: WriteContext, row: Confirmation, way: AgreedWay): Promise<void> {
    await this.rows.refuse(ctx, row.id, this.clock.timestamp());
    this.record(ctx, 'confirmation.refused', row, way);
  }

  private answer<Result>(ctx: PageContext, id: string, work: (ctx: WriteContext, row: Confirmation) => Promise<Result>): Promise<Result> {
    return this.unitOfWork.run(ctx, async (inner) => {
      const row = await this.rows.lockOpen(inner, id, this.clock.timestamp());
      if (!row) throw Problem.notFound(`confirmation ${id} that waits for people`);
      return work(inner, row);
    });
  }

  private record(ctx: WriteContext, action: 'confirmation.agreed' | 'confirmation.refused', row: Confirmation, way: AgreedWay): void {
    const { id, operation, digest, rule, askedBy } = row;
    const changes = changesBetween(null, { operation, sha256: digest.toString('hex'), rule, way, askedBy });
    this.audit.record(ctx, { action, resourceId: id, changes });
  }
}

/** What models want, and people have agreed to: the executor asks before each such change. */
@Implements(Agreements)
export class ToolAgreements implements Agreements {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly rows: ConfirmationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
    private readonly secrets: Secrets,
    private readonly settings: Settings,
  ) {}

  async find(asking: Asking): Promise<string | undefined> {
    const row = await this.rows.ofCall(tenantOf(asking), ofCall(asking), this.clock.timestamp());
    if (!row || row.refusedAt !== null) return undefined;
    if (row.agreedAt === null) return isYours(asking, row) ? row.id : undefined;
    if (await this.confirmations.mayStillAgree(row, asking.call.operation)) return row.id;
    await this.unitOfWork.run(contextOf(asking), (ctx) => this.confirmations.refuseIn(ctx, row, 'page'));
    return undefined;
  }

  async use(ctx: WriteContext, asking: Asking, id: string): Promise<void> {
    const now = this.clock.timestamp();
    const row = isYours(asking, { id }) ? await this.rows.lockOpen(ctx, id, now) : undefined;
    if (row) await this.confirmations.agreeIn(ctx, row, 'client', asking.call.caller.user);
    if (!(await this.rows.use(ctx, id, ofCall(asking), now))) throw new ConfirmationNeeded('Another call has used the confirmation.');
  }

  ask(asking: Asking): Promise<ConfirmationNeeded> {
    const ctx = contextOf(asking);
    return this.unitOfWork.run(ctx, async (inner) => {
      await this.rows.queueUp(inner, asking.call.caller.id);
      const known = await this.rows.ofCall(inner, ofCall(asking), this.clock.timestamp());
      if (!known) return this.needed(ctx, { ...(await this.insert(inner, asking)), agreedAt: null, refusedAt: null });
      const isNo = asking.tool.reply?.confirmation === known.id && !asking.tool.reply.isYes;
      if (!isNo || !this.confirmations.isOpen(known)) return this.needed(ctx, known);
      await this.confirmations.refuseIn(inner, known, 'client');
      return this.needed(ctx, { ...known, refusedAt: this.clock.timestamp() });
    });
  }

  private async insert(ctx: WriteContext, { call, sent, digest, rule }: Asking): Promise<NewConfirmation> {
    const [{ caller, operation, actor }, now, id] = [call, this.clock.timestamp(), newId()];
    const open = await this.rows.countOpen(ctx, caller.id, now);
    if (open >= OPEN_MAX)
      throw new Problem('limit_exceeded', { detail: `People have not answered ${open} calls of this credential yet. More have to wait.` });
    const { params, query, body, key } = sent;
    const row: NewConfirmation = {
      id,
      credentialId: caller.id,
      userId: caller.user?.id ?? null,
      askedBy: actor.name,
      operation: operation.id,
      digest,
      shown: this.secrets.encrypt(JSON.stringify({ params, query, body, key } satisfies Shown), ownerOf(ctx.organizationId, id)),
      rule: rule as Confirmation['rule'],
      createdAt: now,
      expiresAt: later(this.clock, LASTS_MS),
    };
    await this.rows.insert(ctx, row);
    return row;
  }

  private needed({ environment }: Tenant, { id, rule, agreedAt, refusedAt }: Needed): ConfirmationNeeded {
    const state = refusedAt !== null ? 'refused' : agreedAt !== null ? 'agreed' : 'open';
    const url = `${this.settings.publicUrl}/console/${environment}/confirmations/${id}`;
    return new ConfirmationNeeded(SAYS[state], { id, state, rule, url });
  }
}

type Needed = Pick<Confirmation, 'id' | 'rule' | 'agreedAt' | 'refusedAt'>;

const SAYS = {
  open: 'Nothing was done: the organization wants people to agree to this call first.',
  agreed: 'Nothing was done yet. People have agreed to this call.',
  refused: 'Nothing was done: a person has refused this call.',
};

const tenantOf = ({ call: { caller } }: Asking) => ({
  organizationId: caller.organization.id,
  environment: caller.environment,
  projects: caller.projects,
});

function contextOf(asking: Asking) {
  const { operation, actor, requestId, ipAddress } = asking.call;
  return { ...tenantOf(asking), actor, requestId, ipAddress, emits: operation.emits };
}

@Implements(EncryptedColumns)
export class ConfirmationUpkeep implements EncryptedColumns {
  readonly encrypted = [{ table: 'confirmations', column: 'shown', key: ['organization_id', 'id'], owner: ownerOf }];

  constructor(
    private readonly rows: ConfirmationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({
    id: 'confirmations.remove',
    summary: 'Removes what people were asked about calls of tools a day after it ended.',
    everyMs: 3_600_000,
  })
  async remove(): Promise<void> {
    const { unitOfWork, rows } = this;
    const statement = removal(later(this.clock, -KEPT_MS));
    while ((await oneAtATime({ database: rows.database, unitOfWork }, ...statement)).length === ROWS_PER_DELETE);
  }
}
