import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { StatementLayout } from './statement-layout.entity.js';

/** A statement is read with all of them in memory. */
export const MAX_LAYOUTS = 100;
/** So that two changes at once neither exceed the bound nor keep two layouts for one header. */
const LOCK = prepared({
  name: 'statement_layouts.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('statement_layouts ' || $1 || ' ' || $2, 0))",
});
@Injectable()
export class StatementLayoutsRepository extends TenantRepository<StatementLayout> {
  private readonly allSql = tenantSql(
    'statement_layouts.all',
    `SELECT ${selectList(entityColumns(StatementLayout))} FROM statement_layouts WHERE ${TENANT} ORDER BY name LIMIT ${MAX_LAYOUTS}`,
    'How files are read: no answer has it.',
  );

  constructor(database: Database) {
    super(database, StatementLayout);
  }

  all(tenant: Tenant): Promise<StatementLayout[]> {
    return this.database.rows<StatementLayout>(...this.allSql.bind(tenant));
  }

  /** All of them; no other transaction changes them until this one ends. */
  async lockAll(ctx: WriteContext): Promise<StatementLayout[]> {
    await this.database.rows(LOCK, [ctx.organizationId, ctx.environment], ctx.unit);
    return this.database.rows<StatementLayout>(...this.allSql.bind(ctx), ctx.unit);
  }
}
