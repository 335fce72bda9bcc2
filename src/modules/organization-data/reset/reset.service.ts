import { Injectable } from '@nestjs/common';
import type { Changes } from '../../../kernel/changes.js';
import type { ChangeContext, Tenant } from '../../../kernel/context.js';
import { Problem, unavailable } from '../../../kernel/problems.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Database, isLockTimeout, prepared } from '../../../store/database/database.js';
import { UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import { StoredFiles } from '../../../store/files/stored-files.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { CatalogueRepository, inOrder, type OrganizationTable, ownedBy, quote, type Weight } from '../catalogue.repository.js';

/** How many rows a statement deletes. */
const ROWS_AT_ONCE: Record<Weight, number> = { file: 20, document: 500, values: 2000 };
/** Of a table with more of these portions, the others go before, each in a transaction of its own. */
const PORTIONS_TOGETHER = 5;
const MAX_MS = 20_000;
const MAX_ATTEMPTS = 3;

/** The trigger that keeps final claims lets these rows go. */
const ALLOW = prepared({ name: 'reset.allow', text: `SELECT set_config('claims.reset', $1, true)` });

type Context = Tenant & ChangeContext & { readonly environment: Tenant['environment'] };
type Step = (ctx: WriteContext) => Promise<number>;

/** Empties an environment: all its rows go, but those of tables that say why they stay (`TableNotReset`). */
@Injectable()
export class ResetService {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly catalogue: CatalogueRepository,
    private readonly files: StoredFiles,
    private readonly audit: AuditRecorder,
  ) {}

  /** Returns how many rows went. They go in one transaction, which has the environment alone, unless they are many. */
  async reset(ctx: Context, reason: string | null): Promise<number> {
    const tables = (await this.catalogue.organizationTables()).filter(
      ({ columns, notReset }) => notReset === undefined && columns.some(({ name }) => name === 'environment'),
    );
    const sql = inOrder(tables, () => true).map((table) => statementsFor(table, ctx));
    const step = this.steps(ctx, { reason: { from: null, to: reason } });
    let gone = 0;
    for (const table of sql)
      while ((await this.count(ctx, table.more)) > table.together) gone += await step({}, (inner) => this.count(inner, table.deletion));
    return gone + (await step({ isReset: true }, (inner) => this.empty(inner, sql)));
  }

  /** Transactions, of which the first also says in the audit log what begins. */
  private steps(ctx: Context, changes: Changes): (how: Pick<Context, 'isReset'>, work: Step) => Promise<number> {
    const late = performance.now() + MAX_MS;
    let isLogged = false;
    return async (how, work) => {
      for (let attempt = 1; ; attempt += 1) {
        if (performance.now() > late) throw unavailable('There is more to delete. What is gone stays gone: call again to go on.');
        try {
          const gone = await this.unitOfWork.run({ ...ctx, ...how }, async (inner) => {
            if (!isLogged) this.audit.record(inner, { action: 'test_environment.reset', resourceId: ctx.organizationId, changes });
            await this.database.rows(ALLOW, [ctx.organizationId], inner.unit);
            return work(inner);
          });
          isLogged = true;
          return gone;
        } catch (error) {
          // Such as a worker's, which notes how its deliveries ended.
          if (attempt >= MAX_ATTEMPTS || !(error instanceof Problem && isLockTimeout(error.cause))) throw error;
        }
      }
    };
  }

  /** Until nothing is found: workers take rows, and note that, also while others wait. */
  private async empty(ctx: WriteContext, sql: readonly ResetSql[]): Promise<number> {
    await this.files.retireEnvironment(ctx);
    let gone = 0;
    for (let found = 1; found > 0; gone += found) {
      found = 0;
      for (const { deletion } of sql) for (let deleted = 1; deleted > 0; found += deleted) deleted = await this.count(ctx, deletion);
    }
    return gone;
  }

  private async count(ctx: Tenant & Partial<WriteContext>, sql: ResetSql['more']): Promise<number> {
    return (await this.database.rows<{ count: number }>(...sql.bind(ctx), ctx.unit))[0]!.count;
  }
}

type ResetSql = ReturnType<typeof statementsFor>;

function statementsFor(table: OrganizationTable, { organizationId }: Tenant) {
  const [name, rows] = [quote(table.name), ROWS_AT_ONCE[table.weight]];
  const together = rows * PORTIONS_TOGETHER;
  const gone: string = [ownedBy(table, organizationId), 'environment = :environment', table.resetWhere ?? 'true'].join(' AND ');
  return {
    together,
    more: tenantSql(
      '',
      `SELECT count(*)::int AS count FROM (SELECT FROM ${name} WHERE ${TENANT} AND ${gone} LIMIT ${together + 1}) AS more`,
    ),
    // In a partitioned table a place names a row in each partition: those of the environment go as well.
    deletion: tenantSql(
      '',
      `WITH gone AS (DELETE FROM ${name} WHERE ${TENANT}
          AND ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${gone} LIMIT ${rows})) RETURNING 1)
        SELECT count(*)::int AS count FROM gone`,
    ),
  };
}
