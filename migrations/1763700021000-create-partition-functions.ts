import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long housekeeping waits for each lock: everyone else who needs the table waits as long. */
const LOCK_TIMEOUT = '30ms';
/** Rows are moved and searched while the default partition is locked, so there must be few of them. */
const MAX_MOVED_ROWS = 1000;
const MAX_SEARCHED_ROWS = 20_000;

/**
 * Partitions are created and dropped by functions that run as their owner, so the role of the service need not own a table.
 * A lock that is not free soon makes the outcome `busy`; the caller tries again later.
 */
export class CreatePartitionFunctions1763700021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    const asOwner = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${row!.schema}, pg_temp SET lock_timeout = '${LOCK_TIMEOUT}'`;
    await runner.query(createPartition(asOwner));
    await runner.query(dropPartition(asOwner));
    await runner.query(`REVOKE EXECUTE ON FUNCTION create_partition(text, text, text, text), drop_partition(text, text) FROM PUBLIC`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION create_partition(text, text, text, text), drop_partition(text, text)');
  }
}

/**
 * The partition is created as a table of its own and then attached: unlike CREATE TABLE … PARTITION OF, this does not block reads
 * and writes of the other partitions. Rows that were written before their partition existed are in the default partition, if the
 * table has one, and are moved. Outcomes: created, exists, busy, and crowded if that would lock the default partition for long.
 */
const createPartition = (asOwner: string): string => `
  CREATE FUNCTION create_partition(parent text, name text, lower_bound text, upper_bound text) RETURNS text ${asOwner} AS $$
  DECLARE
    spare text := parent || '_default';
    key text;
    in_range text;
    searched integer;
    moved integer;
  BEGIN
    SELECT attname INTO key FROM pg_partitioned_table JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
      WHERE partrelid = to_regclass(quote_ident(parent));
    IF key IS NULL OR name !~ ('^' || parent || '_\\d{8}$') THEN
      RAISE invalid_parameter_value USING MESSAGE = format('%s is not a partition of %s', name, parent);
    END IF;
    IF to_regclass(quote_ident(name)) IS NOT NULL THEN RETURN 'exists'; END IF;
    -- Replicas create partitions one after the other. Before any lock on a table, so this may take longer.
    SET LOCAL lock_timeout = '5s';
    PERFORM pg_advisory_xact_lock(hashtext('claims.partitions'));
    SET LOCAL lock_timeout = '${LOCK_TIMEOUT}';
    -- Blocks neither reads nor writes. Taken before the default partition, so that nobody waits for that while we wait for this.
    -- With this lock we also learn of partitions that were created while we waited.
    EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', parent);
    IF to_regclass(quote_ident(name)) IS NOT NULL THEN RETURN 'exists'; END IF;
    in_range := format('%I >= %L AND %I < %L', key, lower_bound, key, upper_bound);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', name, parent);
    IF to_regclass(quote_ident(spare)) IS NOT NULL THEN
      EXECUTE format('SELECT count(*) FROM (SELECT FROM %I LIMIT %s) AS found', spare, ${MAX_SEARCHED_ROWS} + 1) INTO searched;
      EXECUTE format('SELECT count(*) FROM (SELECT FROM %I WHERE %s LIMIT %s) AS found', spare, in_range, ${MAX_MOVED_ROWS} + 1)
        INTO moved;
      IF searched > ${MAX_SEARCHED_ROWS} OR moved > ${MAX_MOVED_ROWS} THEN
        EXECUTE format('DROP TABLE %I', name);
        RETURN 'crowded';
      END IF;
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', spare);
      EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %s RETURNING *) INSERT INTO %I SELECT * FROM moved', spare, in_range, name);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, lower_bound, upper_bound);
    RETURN 'created';
  EXCEPTION WHEN lock_not_available THEN
    RETURN 'busy';
  END $$`;

/** The parent is locked last, when nothing is left to wait for. Outcomes: dropped, absent, busy. */
export const dropPartition = (asOwner: string, parents = "'events', 'webhook_deliveries'"): string => `
  CREATE OR REPLACE FUNCTION drop_partition(parent text, name text) RETURNS text ${asOwner} AS $$
  DECLARE
    spare text := parent || '_default';
  BEGIN
    -- The audit log is not among them: whoever may write to it may not remove a month of it.
    IF parent NOT IN (${parents}) OR name !~ ('^' || parent || '_\\d{8}$') THEN
      RAISE invalid_parameter_value USING MESSAGE = format('%s is not a partition that may be dropped', name);
    END IF;
    IF to_regclass(quote_ident(name)) IS NULL THEN RETURN 'absent'; END IF;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', spare);
    EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('DROP TABLE %I', name);
    RETURN 'dropped';
  EXCEPTION
    WHEN lock_not_available THEN RETURN 'busy';
    WHEN undefined_table THEN RETURN 'absent';
  END $$`;
