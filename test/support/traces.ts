import type { TestApp } from './app.js';
import { rowsOf } from './database.js';

export interface RowCounts {
  readonly projects: number;
  readonly events: number;
  readonly audit: number;
  readonly keys: number;
}

const COUNTED = { projects: 'claim_projects', events: 'events', audit: 'audit_entries', keys: 'idempotency_keys' };

/** Counts an organization's rows in the tables that a change writes. A refused call must not change the counts. */
export async function countRows({ databaseUrl }: TestApp, organizationId: string): Promise<RowCounts> {
  const counts = Object.entries(COUNTED).map(
    ([name, table]) => `(SELECT count(*)::int FROM ${table} WHERE organization_id = $1) AS ${name}`,
  );
  const [row] = await rowsOf<RowCounts>(databaseUrl, `SELECT ${counts.join(', ')}`, [organizationId]);
  return row!;
}
