import type pg from 'pg';
import { poolOf } from '../../src/store/database/borrowed.js';
import { Database } from '../../src/store/database/database.js';
import { LookUpBatch } from '../../src/store/database/look-ups.js';
import type { TestApp } from './app.js';

/** Statements of an API process without a condition on the tenant, each with the reason why that is correct. */
const KNOWN: Readonly<Record<string, string>> = {
  'api_keys.by_hash': 'Finds out which tenant a key belongs to.',
  'oauth_applications.by_client_id': 'Finds out which organization an application belongs to.',
  'oauth_records.access_token': 'Finds out which tenant a token belongs to.',
  'api_keys.touch': 'Stores when keys were last used, for many organizations at once. Each key was found by its hash.',
  'webhook_deliveries.give_up': 'Follows a change of the endpoint, which was found for the tenant in the same transaction.',
  'audit_entries.waiting': 'Finds the organizations with entries to seal. A worker uses it; in tests of the sealing, an API process does.',
  'api_keys.by_id': 'Operators name a key by its id only.',
  'oauth_applications.by_id': 'Operators name an application by its id only.',
  'bank_statements.by_id': 'Operators name a statement by its id only.',
  'claim_reports.by_id': 'Operators name a run by its id only.',
  'bank_statements.expire': 'Finds the oldest statement of all tenants. A worker uses it; in tests of the retention, an API process does.',
  'webhook_endpoints.failing': 'Finds failing endpoints of all tenants. A worker uses it; in tests of the notice, an API process does.',
  'webhook_deliveries.by_id': 'Operators name a delivery by its id only.',
  'webhook_endpoints.by_id': 'Operators name an endpoint by its id only.',
};

/** The organization must be compared or inserted. A column list or an ORDER BY may name it without restricting anything. */
const NAMES_TENANT = /\borganization_id"?(::text \|\| environment)? (=|IN) |INSERT INTO [^(]*\([^)]*\borganization_id\b/;

const found = new Set<string>();

/** The unscoped statements since the last call, each with its name. */
export function takeUnscoped(): string[] {
  const taken = [...found];
  found.clear();
  return taken;
}

/** Checks every statement that an application sends from now on. Workers are skipped: their jobs read all tenants. */
export function watchStatements({ app, settings }: Pick<TestApp, 'app' | 'settings'>): void {
  if (settings.role !== 'api') return;
  const { dataSource } = app.get(Database);
  const touches = touchingTenants(app);
  const watched = new WeakSet<pg.PoolClient>();
  poolOf(dataSource).on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const checked = (sent: string | pg.QueryConfig | LookUpBatch, ...rest: unknown[]): unknown => {
      for (const { name = '', text } of statementsIn(sent))
        if (touches.test(text) && !NAMES_TENANT.test(text) && !(name in KNOWN)) found.add(`${name || '(without a name)'}: ${text}`);
      return query(sent, ...rest);
    };
    Object.assign(client, { query: checked });
  });
}

function statementsIn(sent: string | pg.QueryConfig | LookUpBatch): readonly { name?: string | undefined; text: string }[] {
  if (sent instanceof LookUpBatch) return sent.lookUps.map(({ statement }) => statement);
  return [typeof sent === 'string' ? { text: sent } : sent];
}

/** Matches statements on tables that have the columns organization_id and environment. */
function touchingTenants(app: TestApp['app']): RegExp {
  const { entityMetadatas } = app.get(Database).dataSource;
  const ofTenants = entityMetadatas.filter(({ columns }) =>
    ['organization_id', 'environment'].every((name) => columns.some(({ databaseName }) => databaseName === name)),
  );
  return new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING)\\s+"?(${ofTenants.map(({ tableName }) => tableName).join('|')})\\b`);
}
