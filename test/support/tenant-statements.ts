import type pg from 'pg';
import { Database } from '../../src/store/database/database.js';
import type { TestApp } from './app.js';

/** The statements of an API process that touch rows of tenants without saying whose, each with the reason why that is right. */
const KNOWN: Readonly<Record<string, string>> = {
  'api_keys.by_hash': 'Whose a key is, is what it finds out.',
  'oauth_applications.by_client_id': 'Whose an application is, is what it finds out.',
  'oauth_records.access_token': 'Whose a token is, is what it finds out.',
  'api_keys.touch': 'Notes when keys were used last: those of many organizations at once, and each was found by its hash.',
  'webhook_deliveries.give_up': 'Goes with a change of the endpoint, which was found as the tenant’s own in the same transaction.',
  'audit_entries.waiting': 'Says whose log is to be sealed, as workers ask; tests of the sealing have an API process ask.',
  'api_keys.by_id': 'Operators name a key by its id alone.',
  'oauth_applications.by_id': 'Operators name an application by its id alone.',
  'bank_statements.by_id': 'Operators name a statement by its id alone.',
  'claim_reports.by_id': 'Operators name a run by its id alone.',
  'webhook_deliveries.by_id': 'Operators name a delivery by its id alone.',
  'webhook_endpoints.by_id': 'Operators name an endpoint by its id alone.',
};

/** A column list or an ORDER BY may name the organization and bind nothing: it must be compared with something, or be written. */
const NAMES_TENANT = /\borganization_id"?(::text \|\| environment)? (=|IN) |INSERT INTO [^(]*\([^)]*\borganization_id\b/;

const found = new Set<string>();

/** The statements that have forgotten the tenant since this was last asked, each with its name. */
export function takeUnscoped(): string[] {
  const taken = [...found];
  found.clear();
  return taken;
}

/** Looks at every statement that an application sends from now on. What a worker does is of all tenants: there it does not look. */
export function watchStatements({ app, settings }: Pick<TestApp, 'app' | 'settings'>): void {
  if (settings.role !== 'api') return;
  const { driver } = app.get(Database).dataSource;
  const touches = touchingTenants(app);
  const watched = new WeakSet<pg.PoolClient>();
  (driver as unknown as { master: pg.Pool }).master.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const looking = (statement: string | pg.QueryConfig, ...rest: unknown[]): unknown => {
      const { name = '', text } = typeof statement === 'string' ? { text: statement } : statement;
      if (touches.test(text) && !NAMES_TENANT.test(text) && !(name in KNOWN)) found.add(`${name || '(without a name)'}: ${text}`);
      return query(statement, ...rest);
    };
    Object.assign(client, { query: looking });
  });
}

/** Matches what names a table whose rows are each of one organization and environment: there are entities with these columns. */
function touchingTenants(app: TestApp['app']): RegExp {
  const { entityMetadatas } = app.get(Database).dataSource;
  const ofTenants = entityMetadatas.filter(({ columns }) =>
    ['organization_id', 'environment'].every((name) => columns.some(({ databaseName }) => databaseName === name)),
  );
  return new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING)\\s+"?(${ofTenants.map(({ tableName }) => tableName).join('|')})\\b`);
}
