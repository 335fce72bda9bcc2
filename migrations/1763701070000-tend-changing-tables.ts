import type { MigrationInterface, QueryRunner } from 'typeorm';
import { asOwnerOf, createPartition } from './1763700040000-move-rows-by-two-statements.js';

/**
 * Vacuum comes when a twentieth of a table is dead, and not a fifth as by default: a large table never gives back what it once needed. Not
 * earlier still, because each time it reads all indexes.
 */
const VACUUM = { autovacuum_vacuum_scale_factor: '0.05' };
/** Many rows, so that a few dead ones are not worth a look. */
const LARGE = { ...VACUUM, autovacuum_vacuum_threshold: '1000' };
/** Few rows, each changed all the time. With room in its page, a row is changed there, and no index learns of it. */
const COUNTERS = { ...VACUUM, fillfactor: '70' };

/**
 * Room helps where no indexed column changes. A delivery, a report, a statement, a file and a mail change their status or when they are due,
 * which indexes have, so room in their pages would be empty for nothing. A key gets its answer in the transaction that inserts it.
 */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  webhook_deliveries: LARGE,
  idempotency_keys: { ...LARGE, fillfactor: '90' },
  bank_statements: LARGE,
  claim_reports: LARGE,
  oauth_records: LARGE,
  outgoing_mails: LARGE,
  stored_files: LARGE,
  usage_days: VACUUM,
  api_keys: COUNTERS,
  audit_chains: COUNTERS,
  console_sessions: COUNTERS,
  usage_writers: COUNTERS,
  webhook_endpoints: COUNTERS,
};

/** A partition has no parameters of its table, which can have none. So the default partition keeps them for those to come. */
const AS_DEFAULT_PARTITION = `
    DECLARE
      parameters text := (SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = to_regclass(quote_ident(spare)));
    BEGIN
      IF parameters <> '' THEN EXECUTE format('ALTER TABLE %I SET (%s)', name, parameters); END IF;
    END;`;
const PROTECTED = "IF parent = 'audit_events' THEN PERFORM protect_audit_log(); END IF;";

/**
 * Rows stay as they are: only pages that are filled from now on get room, and vacuum reads the parameters when it next looks. Neither
 * reads nor writes wait for these locks.
 */
export class TendChangingTables1763701070000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No partition is added before the function knows of the parameters.
    await runner.query("SELECT pg_advisory_xact_lock(hashtext('claims.partitions'))");
    await runner.query(createPartition(await asOwnerOf(runner), PROTECTED + AS_DEFAULT_PARTITION));
    for (const [table, parameters] of Object.entries(PARAMETERS)) {
      const settings = Object.entries(parameters).map(([name, value]) => `${name} = ${value}`);
      for (const name of await storedIn(runner, table)) await runner.query(`ALTER TABLE ${name} SET (${settings.join(', ')})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("SELECT pg_advisory_xact_lock(hashtext('claims.partitions'))");
    await runner.query(createPartition(await asOwnerOf(runner), PROTECTED));
    for (const [table, parameters] of Object.entries(PARAMETERS))
      for (const name of await storedIn(runner, table))
        await runner.query(`ALTER TABLE ${name} RESET (${Object.keys(parameters).join(', ')})`);
  }
}

/** The partitions of a table, or the table itself if it has none. */
async function storedIn(runner: QueryRunner, table: string): Promise<string[]> {
  const rows = (await runner.query(
    'SELECT child.relname AS name FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table],
  )) as { name: string }[];
  return rows.length === 0 ? [table] : rows.map(({ name }) => name);
}
