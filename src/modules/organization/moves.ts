import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditAction } from '../../kernel/audit-actions.js';
import type { Changes } from '../../kernel/changes.js';
import { changeContext, type Actor } from '../../kernel/context.js';
import type { AnyStatus } from '../../kernel/organization-status.js';
import { StartError } from '../../kernel/settings/settings.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { Database, prepared } from '../../store/database/database.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { OrganizationRepository } from './organization.repository.js';
import { beingErased, missing } from './organization-rules.js';

const NOW = prepared({ name: 'transactions.now', text: 'SELECT clock_timestamp()::text AS now' });
// Of the role of the service alone: others show no times to it, and write no rows of organizations.
const OPEN = prepared({
  name: 'transactions.open',
  text: `SELECT count(*)::int AS open FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start <= $1::timestamptz`,
});
const LOOK_AGAIN_MS = 200;

interface Step {
  readonly from: readonly AnyStatus[];
  readonly to: AnyStatus;
  /** In these it was taken before, and is not taken again. */
  readonly after?: readonly AnyStatus[];
  readonly entry?: { readonly action: AuditAction; readonly changes: Changes };
}

/** The steps of a move on the side that the organization leaves. Each can be repeated. */
@Injectable()
export class MovesService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly database: Database,
  ) {}

  /** Returns false if that was done before. */
  async take(actor: Actor, id: string, { from, to, after = [], entry }: Step): Promise<boolean> {
    return this.unitOfWork.run({ ...changeContext(id, actor), isMove: true }, async (ctx) => {
      const organization = (await this.organizations.lock(id, ctx.unit)) ?? missing(id);
      if (await this.organizations.isBeingErased(id, ctx.unit)) beingErased(id);
      if ([to, ...after].includes(organization.status)) return false;
      if (!from.includes(organization.status))
        throw new StartError(`Nothing was changed: the organization is ${organization.status}, and would have to be ${from.join(' or ')}.`);
      await this.organizations.update({ ...organization, status: to }, ctx.unit);
      if (entry) this.audit.record(ctx, { ...entry, resourceId: id });
      return true;
    });
  }

  /** Waits for the transactions that are open now: they may have begun before the last step. */
  async endOfTransactions(waitMs: number): Promise<void> {
    const [{ now }] = (await this.database.rows<{ now: string }>(NOW, [])) as [{ now: string }];
    const open = async () => (await this.database.rows<{ open: number }>(OPEN, [now]))[0]!.open;
    await until(async () => (await open()) === 0, waitMs, 'Transactions that began before the move have not ended');
  }
}

/** Throws when it takes too long: the command can be repeated. */
export async function until(isSo: () => Promise<boolean>, waitMs: number, otherwise: string): Promise<void> {
  const end = performance.now() + waitMs;
  while (!(await isSo())) {
    if (performance.now() > end)
      throw new StartError(`${otherwise}. The organization stays closed: run the command again, or \`claims org move abort\`.`);
    await delay(LOOK_AGAIN_MS);
  }
}
