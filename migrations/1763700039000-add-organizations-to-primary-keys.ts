import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The primary keys that did not tell whose a row is. The id stays first, because rows are also looked up by their id alone. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  claim_projects: ['id'],
  expense_categories: ['id'],
  report_configurations: ['id'],
  webhook_endpoints: ['id'],
  webhook_deliveries: ['id'],
  bank_statements: ['id'],
  statement_lines: ['statement_id', 'line_number'],
  statement_originals: ['statement_id', 'part'],
  statement_layouts: ['id'],
  counterparty_decisions: ['id'],
  claim_reports: ['id'],
  claim_report_files: ['report_id', 'format', 'part'],
  events: ['id'],
  audit_entries: ['ordinal'],
  outgoing_mails: ['id'],
  api_keys: ['id'],
  oauth_applications: ['id'],
};

/** How long the exchange of a key waits for its table. Everyone else who needs the table waits as long, so it is tried again. */
const LOCK_TIMEOUT = '500ms';
const MAX_ATTEMPTS = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Each key is built as an index beside the old one, while the table is read and written, and then exchanged under a lock that needs
 * no time. Not one transaction, since an index cannot be built like this within one. It can be interrupted and repeated. To revert
 * it builds the old keys while the tables are locked.
 */
export class AddOrganizationsToPrimaryKeys1763700039000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, key] of Object.entries(KEYS)) await exchangeKey(runner, table, [...key, 'organization_id']);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, key] of Object.entries(KEYS))
      await runner.query(
        `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey, ADD CONSTRAINT ${table}_pkey PRIMARY KEY (${key.join(', ')})`,
      );
  }
}

async function exchangeKey(runner: QueryRunner, table: string, key: readonly string[]): Promise<void> {
  if ((await keyOf(runner, table)) === key.join()) return;
  const columns = key.join(', ');
  const built = new Set<string>();
  for (;;) {
    const partitions = await partitionsOf(runner, table);
    for (const name of (partitions ?? [table]).filter((each) => !built.has(each))) {
      // What an interrupted attempt has left may be incomplete.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_next_key`);
      await runner.query(`CREATE UNIQUE INDEX CONCURRENTLY ${name}_next_key ON ${name} (${columns})`);
      built.add(name);
    }
    if (partitions === undefined) return void (await exchange(runner, plainSql(table)));
    if (await exchange(runner, partitionedSql(table, partitions, columns), () => hasStill(runner, table, partitions))) return;
  }
}

/**
 * A partition that was added meanwhile has the old key, and gets its index in the next round. The lock is that of the transaction: behind
 * a pooler, one of a session would be left on any connection.
 */
async function hasStill(runner: QueryRunner, table: string, partitions: readonly string[]): Promise<boolean> {
  await runner.query("SELECT pg_advisory_xact_lock(hashtext('claims.partitions'))");
  return (await partitionsOf(runner, table))?.join() === partitions.join();
}

const plainSql = (table: string): string[] => [
  `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey, ADD CONSTRAINT ${table}_pkey PRIMARY KEY USING INDEX ${table}_next_key`,
];

const partitionedSql = (table: string, partitions: readonly string[], columns: string): string[] => [
  `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`,
  ...partitions.map((name) => `ALTER TABLE ${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY USING INDEX ${name}_next_key`),
  `ALTER TABLE ONLY ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (${columns})`,
  ...partitions.map((name) => `ALTER INDEX ${table}_pkey ATTACH PARTITION ${name}_pkey`),
];

/** Returns false, and exchanges nothing, if something is not as it must be. */
async function exchange(runner: QueryRunner, statements: readonly string[], isReady = () => Promise.resolve(true)): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      const exchanged = await isReady();
      if (exchanged) for (const statement of statements) await runner.query(statement);
      await runner.commitTransaction();
      return exchanged;
    } catch (error) {
      await runner.rollbackTransaction();
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function keyOf(runner: QueryRunner, table: string): Promise<string> {
  const [row] = (await runner.query(
    `SELECT string_agg(attname, ',' ORDER BY place) AS key FROM pg_index, unnest(indkey::int[]) WITH ORDINALITY AS part (number, place)
      JOIN pg_attribute ON attnum = number WHERE indrelid = to_regclass($1) AND indisprimary AND attrelid = indrelid`,
    [table],
  )) as { key: string }[];
  return row!.key;
}

/** The partitions of a table, undefined if it has none. */
async function partitionsOf(runner: QueryRunner, table: string): Promise<string[] | undefined> {
  const rows = (await runner.query(
    'SELECT child.relname AS name FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table],
  )) as { name: string }[];
  return rows.length === 0 ? undefined : rows.map(({ name }) => name);
}
