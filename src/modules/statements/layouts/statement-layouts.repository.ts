import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { StatementLayout } from './statement-layout.entity.js';

/** A statement is read with all of them in memory. */
export const MAX_LAYOUTS = 100;

const SELECTED = selectList(entityColumns(StatementLayout));
const OF_TENANT = 'organization_id = $1 AND environment = $2';
const ALL = prepared({
  name: 'statement_layouts.all',
  text: `SELECT ${SELECTED} FROM statement_layouts WHERE ${OF_TENANT} ORDER BY name LIMIT ${MAX_LAYOUTS}`,
});
/** So that two changes at once neither exceed the bound nor keep two layouts for one header. */
const LOCK = prepared({
  name: 'statement_layouts.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('statement_layouts ' || $1 || ' ' || $2, 0))",
});
const ADD = prepared({
  name: 'statement_layouts.add',
  text: `INSERT INTO statement_layouts (organization_id, environment, id, name, fingerprint, layout, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
});
const REMOVE = prepared({
  name: 'statement_layouts.remove',
  text: `DELETE FROM statement_layouts WHERE ${OF_TENANT} AND id = ANY ($3::uuid[])`,
});

/** The layouts that organizations have kept. */
@Injectable()
export class StatementLayoutsRepository {
  constructor(private readonly database: Database) {}

  /** By name. */
  of({ organizationId, environment }: Tenant): Promise<StatementLayout[]> {
    return this.database.rows<StatementLayout>(ALL, [organizationId, environment]);
  }

  /** All of them; no other transaction changes them until this one ends. */
  async lock({ organizationId, environment, unit }: WriteContext): Promise<StatementLayout[]> {
    await this.database.rows(LOCK, [organizationId, environment], unit);
    return this.database.rows<StatementLayout>(ALL, [organizationId, environment], unit);
  }

  async add({ organizationId, environment, unit }: WriteContext, row: StatementLayout): Promise<void> {
    const { id, name, fingerprint, layout, createdAt } = row;
    await this.database.rows(ADD, [organizationId, environment, id, name, fingerprint, JSON.stringify(layout), createdAt], unit);
  }

  async remove({ organizationId, environment, unit }: WriteContext, ids: readonly string[]): Promise<void> {
    await this.database.rows(REMOVE, [organizationId, environment, ids], unit);
  }
}
