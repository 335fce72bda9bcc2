import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { StatementLayout } from './statement-layout.entity.js';

/** A statement is read with all of them in memory. */
export const MAX_LAYOUTS = 100;
const SELECTED = selectList(entityColumns(StatementLayout));
const ALL = tenantSql(
  'statement_layouts.all',
  `SELECT ${SELECTED} FROM statement_layouts WHERE ${TENANT} ORDER BY name LIMIT ${MAX_LAYOUTS}`,
);
/** So that two changes at once neither exceed the bound nor keep two layouts for one header. */
const LOCK = prepared({
  name: 'statement_layouts.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('statement_layouts ' || $1 || ' ' || $2, 0))",
});
const ADD = tenantSql(
  'statement_layouts.add',
  `INSERT INTO statement_layouts (organization_id, environment, id, name, fingerprint, layout, created_at)
    VALUES (:organizationId, :environment, :id, :name, :fingerprint, :layout, :createdAt)`,
);
const REMOVE = tenantSql('statement_layouts.remove', `DELETE FROM statement_layouts WHERE ${TENANT} AND id = ANY (:ids::uuid[])`);

@Injectable()
export class StatementLayoutsRepository {
  constructor(private readonly database: Database) {}

  list(tenant: Tenant): Promise<StatementLayout[]> {
    return this.database.rows<StatementLayout>(...ALL.bind(tenant));
  }

  /** All of them; no other transaction changes them until this one ends. */
  async lock(ctx: WriteContext): Promise<StatementLayout[]> {
    await this.database.rows(LOCK, [ctx.organizationId, ctx.environment], ctx.unit);
    return this.database.rows<StatementLayout>(...ALL.bind(ctx), ctx.unit);
  }

  async add(ctx: WriteContext, row: StatementLayout): Promise<void> {
    const { id, name, fingerprint, layout, createdAt } = row;
    await this.database.rows(...ADD.bind(ctx, { id, name, fingerprint, layout: JSON.stringify(layout), createdAt }), ctx.unit);
  }

  async remove(ctx: WriteContext, ids: readonly string[]): Promise<void> {
    await this.database.rows(...REMOVE.bind(ctx, { ids }), ctx.unit);
  }
}
