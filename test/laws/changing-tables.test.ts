import { afterAll, describe, expect, it } from 'vitest';
import { declaredSql } from '../../src/store/database/prepared-statements.js';
import { startApp } from '../support/app.js';
import { leftOutOnCitus } from '../support/citus.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { tablesOfExtensions } from '../support/extension-facts.js';

const BY_PEOPLE = 'Rows that people change, a few times each.';
const ONCE = 'A row is changed once or twice, and there are few.';

/** Tables whose rows are changed too seldom for parameters of their own, each with the reason. All others must have some. */
const SELDOM: Readonly<Record<string, string>> = {
  claim_projects: BY_PEOPLE,
  claim_items: BY_PEOPLE,
  claim_line_decisions: BY_PEOPLE,
  counterparty_decisions: BY_PEOPLE,
  expense_categories: BY_PEOPLE,
  oauth_applications: BY_PEOPLE,
  oauth_client_decisions: BY_PEOPLE,
  oauth_connection_rules: BY_PEOPLE,
  organizations: BY_PEOPLE,
  organization_notices: BY_PEOPLE,
  receipts: BY_PEOPLE,
  report_configurations: BY_PEOPLE,
  statement_layouts: BY_PEOPLE,
  users: BY_PEOPLE,
  audit_person_keys: ONCE,
  claim_closings: ONCE,
  exchange_rates: ONCE,
  identity_providers: ONCE,
  oauth_registrations: ONCE,
  organization_erasures: ONCE,
  signing_keys: ONCE,
  upload_links: ONCE,
  user_invitations: ONCE,
};

const app = await startApp();
afterAll(() => app.close());

interface Stored {
  readonly name: string;
  readonly parameters: string[] | null;
}

/** Where the rows of a table are: its partitions, or itself. */
const storedIn = (url: string, table: string): Promise<Stored[]> =>
  rowsOf(
    url,
    `SELECT relname AS name, reloptions AS parameters FROM pg_class LEFT JOIN pg_inherits ON inhrelid = pg_class.oid
      WHERE coalesce(inhparent, pg_class.oid) = to_regclass($1) AND relkind = 'r'`,
    [table],
  );

const isTended = ({ parameters }: Stored): boolean =>
  parameters?.some((parameter) => parameter.startsWith('autovacuum_vacuum_scale_factor=')) ?? false;

/** Tables of the product that a declared statement changes rows of, and those whose records have a time of their last change. */
async function changedTables(): Promise<string[]> {
  // Encrypted again, when a key is retired, all rows are changed once. Other tests may have declared that already.
  const often = [...declaredSql()].filter(([name]) => !name.endsWith('.again'));
  const texts = often.map(([, { text }]) => text);
  const updates = texts.flatMap((text) => [
    ...text.matchAll(/\bUPDATE (?:ONLY )?"?(\w+)"?(?: \w+)?\s+SET\b/g),
    ...text.matchAll(/\bINSERT INTO "?(\w+)"?(?=[^]*\bON CONFLICT\b[^]*\bDO UPDATE\b)/g),
  ]);
  const sql = `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN pg_class ON relname = table_name
    WHERE table_schema = 'public' AND column_name = 'updated_at' AND NOT relispartition`;
  const records = await rowsOf<{ name: string }>(app.databaseUrl, sql);
  const ofExtensions = await tablesOfExtensions();
  const all = new Set([...updates.map(([, table]) => table!), ...records.map(({ name }) => name)]);
  return [...all].filter((table) => !ofExtensions.includes(table)).sort();
}

it('a table whose rows are changed has parameters of vacuum, or a reason why it needs none', async () => {
  const tables = await changedTables();
  expect(tables).toEqual(expect.arrayContaining(['usage_days', 'webhook_deliveries', 'webhook_endpoints']));
  const faults: string[] = [];
  for (const table of tables) {
    const untended = (await storedIn(app.databaseUrl, table)).filter((stored) => !isTended(stored)).map(({ name }) => name);
    if (untended.length > 0 && !(table in SELDOM)) faults.push(`${untended.join(', ')}: no autovacuum_vacuum_scale_factor`);
    if (untended.length === 0 && table in SELDOM) faults.push(`${table}: has parameters, and a reason why it needs none`);
  }
  expect(faults).toEqual([]);
  expect(Object.keys(SELDOM).filter((table) => !tables.includes(table))).toEqual([]);
});

describe.skipIf(leftOutOnCitus('The partition would be created on another server.'))('a partition that is created later', () => {
  it('has the parameters of the default partition, as they are then', async () => {
    const database = await createDatabase();
    try {
      await rowsOf(database.url, 'ALTER TABLE webhook_deliveries_default SET (autovacuum_vacuum_scale_factor = 0.03)');
      const create = (parent: string, bounds: string) =>
        rowsOf<{ outcome: string }>(database.url, `SELECT create_partition('${parent}', '${parent}_20990105', ${bounds}) AS outcome`);
      const ids = "'03b3d4b0-0000-0000-0000-000000000000', '03b3d4b1-0000-0000-0000-000000000000'";
      expect(await create('webhook_deliveries', ids)).toEqual([{ outcome: 'created' }]);
      // Without parameters at the default partition, and without a default partition.
      expect(await create('events', ids)).toEqual([{ outcome: 'created' }]);
      expect(await create('audit_events', "'2099-01-01', '2099-02-01'")).toEqual([{ outcome: 'created' }]);
      const parametersOf = async (table: string) =>
        (await storedIn(database.url, table)).find(({ name }) => name === `${table}_20990105`)?.parameters;
      expect(await parametersOf('webhook_deliveries')).toEqual(['autovacuum_vacuum_threshold=1000', 'autovacuum_vacuum_scale_factor=0.03']);
      expect(await parametersOf('events')).toBeNull();
      expect(await parametersOf('audit_events')).toBeNull();
    } finally {
      await database.drop();
    }
  });
});
