import type pg from 'pg';
import { poolOf } from '../../src/store/database/borrowed.js';
import { Database } from '../../src/store/database/database.js';
import { PreparedStatements } from '../../src/store/database/prepared-statements.js';
import type { TestApp } from './app.js';
import { factsOfExtensions } from './extension-facts.js';

/** Statements that do not ask for one organization by value, each with the reason why that is correct. */
const KNOWN: Readonly<Record<string, string>> = {
  'api_keys.by_hash': 'Finds out which tenant a key belongs to.',
  'oauth_applications.by_client_id': 'Finds out which organization an application belongs to.',
  'oauth_records.access_token': 'Finds out which tenant a token belongs to.',
  'api_keys.touch': 'Stores when keys were last used, for many organizations at once. Each key was found by its hash.',
  'audit_entries.waiting': 'Finds the organizations with entries to seal. A worker uses it.',
  'audit_entries.of_many': 'A worker reads the entries that it is about to seal, of several organizations.',
  'api_keys.by_id': 'Operators name a key by its id only.',
  'oauth_applications.by_id': 'Operators name an application by its id only.',
  'bank_statements.by_id': 'Operators name a statement by its id only.',
  'claim_reports.by_id': 'Operators name a run by its id only.',
  'bank_statements.oldest': 'A worker finds the oldest statement of all tenants.',
  'bank_statements.admit': 'A worker admits the imported statements of all tenants.',
  'bank_statements.lost': 'A worker finds the rows of lost workers.',
  'bank_statements.turn': 'A worker finds the organization whose turn it is.',
  'claim_reports.lost': 'A worker finds the rows of lost workers.',
  'claim_reports.turn': 'A worker finds the organization whose turn it is.',
  'api_keys.expiring': 'A worker finds the keys of all tenants that expire soon.',
  'stored_files.due': 'A worker finds the files of all tenants that are to be removed.',
  'stored_files.count_kept': 'An operator is told whether files can be read.',
  'stored_files.newest_kept': 'An operator is told whether files can be read.',
  'stored_files.waiting': 'A worker counts the files of all tenants that are to be removed.',
  'webhook_endpoints.failing': 'A worker finds failing endpoints of all tenants.',
  'webhook_endpoints.acquire': 'A worker is woken with the id of an endpoint, and learns here whose it is.',
  'webhook_endpoints.due_before': 'A worker finds the endpoints of all tenants that have due deliveries.',
  'events.bodies': 'A worker reads the events of all deliveries that it is about to send.',
  'idempotency_keys.expire': 'A worker deletes old keys of all tenants.',
  'webhook_deliveries.by_id': 'Operators name a delivery by its id only.',
  'webhook_endpoints.by_id': 'Operators name an endpoint by its id only.',
  ...factsOfExtensions('statementsOfAll'),
};

/** Finds what is left under old encryption keys, in the tables of all tenants. */
const REENCRYPTION = /\.(next|next_after|left)$/;

/**
 * The organization must be compared with a value, or inserted. A column list, an ORDER BY or a join with another table may name it
 * without restricting anything.
 */
const NAMES_TENANT =
  /\borganization_id"?(::text \|\| environment)? (= (ANY \(ARRAY\[|\(SELECT )?|IN \()[$']|INSERT INTO [^(]*\([^)]*\borganization_id\b/;

const isKnown = (name: string): boolean => name in KNOWN || REENCRYPTION.test(name);

const found = new Set<string>();

/** The unscoped statements since the last call, each with its name. */
export function takeUnscoped(): string[] {
  const taken = [...found];
  found.clear();
  return taken;
}

/** Checks every statement that an application sends from now on. */
export function watchStatements({ app }: Pick<TestApp, 'app'>): void {
  const { dataSource } = app.get(Database);
  const touches = touchingTenants(app);
  const watched = new WeakSet<pg.PoolClient>();
  poolOf(dataSource).on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const checked = (sent: Sent, ...rest: unknown[]): unknown => {
      for (const { name = '', text } of statementsIn(sent))
        if (touches.test(text) && !NAMES_TENANT.test(text) && !isKnown(name)) found.add(`${name || '(without a name)'}: ${text}`);
      return query(sent, ...rest);
    };
    Object.assign(client, { query: checked });
  });
}

/** What the service gives a connection. */
export type Sent = string | pg.QueryConfig | PreparedStatements;

/** The statements of what is sent to the database: one, or those of a batch. */
export function statementsIn(sent: Sent): readonly { name?: string | undefined; text: string }[] {
  if (sent instanceof PreparedStatements) return sent.executions.map(({ statement }) => statement);
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
