import type pg from 'pg';
import { poolOf } from '../../src/store/database/borrowed.js';
import { Database } from '../../src/store/database/database.js';
import { declaredSql, PreparedStatements } from '../../src/store/database/prepared-statements.js';
import type { TestApp } from './app.js';

/**
 * The organization must be compared with a value, or inserted. A column list, an ORDER BY or a join with another table may name it
 * without restricting anything.
 */
const NAMES_TENANT =
  /\borganization_id"?(::text \|\| environment)? (= (ANY \(ARRAY\[|\(SELECT )?|IN \()[$']|INSERT INTO [^(]*\([^)]*\borganization_id\b/;

/** Whether the statement says why it is right that it does not ask for one organization by value. */
const isKnown = (name: string): boolean => typeof declaredSql().get(name)?.scope === 'object';

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
