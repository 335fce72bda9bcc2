import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CreatePartitionFunctions1763700021000 } from './1763700021000-create-partition-functions.js';

const LOCK_TIMEOUT = '30ms';
const MAX_MOVED_ROWS = 1000;
const MAX_SEARCHED_ROWS = 20_000;

/**
 * Rows are moved into a new partition by two statements. One that deletes and inserts cannot be executed if the table is distributed
 * and the partition is not yet. The default partition is locked, so that nobody changes the rows between the two.
 */
export class MoveRowsByTwoStatements1763700040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createPartition(await asOwnerOf(runner)));
  }

  async down(runner: QueryRunner): Promise<void> {
    const earlier = new CreatePartitionFunctions1763700021000();
    await earlier.down(runner);
    await earlier.up(runner);
  }
}

export async function asOwnerOf(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
  return `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${row!.schema}, pg_temp SET lock_timeout = '${LOCK_TIMEOUT}'`;
}

export const createPartition = (asOwner: string, afterwards = ''): string => `
  CREATE OR REPLACE FUNCTION create_partition(parent text, name text, lower_bound text, upper_bound text) RETURNS text ${asOwner} AS $$
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
      EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %I LIMIT %s) AS found', spare, ${MAX_SEARCHED_ROWS} + 1) INTO searched;
      EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %I WHERE %s LIMIT %s) AS found', spare, in_range, ${MAX_MOVED_ROWS} + 1)
        INTO moved;
      IF searched > ${MAX_SEARCHED_ROWS} OR moved > ${MAX_MOVED_ROWS} THEN
        EXECUTE format('DROP TABLE %I', name);
        RETURN 'crowded';
      END IF;
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', spare);
      EXECUTE format('INSERT INTO %I SELECT * FROM %I WHERE %s', name, spare, in_range);
      EXECUTE format('DELETE FROM %I WHERE %s', spare, in_range);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, lower_bound, upper_bound);
    ${afterwards}
    RETURN 'created';
  EXCEPTION WHEN lock_not_available THEN
    RETURN 'busy';
  END $$`;
