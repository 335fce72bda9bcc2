import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectAuditLog } from './1763700652000-protect-audit-log.js';

/** Rows that one call deletes. */
const ROWS_AT_ONCE = 1000;
export const PROTECTED = "'audit_events'::regclass, 'audit_tiles'::regclass, 'audit_checkpoints'::regclass";

/**
 * Checkpoints of audit logs with the tiles of their trees and the keys that sign them. The role of the service adds tiles and checkpoints,
 * and changes or deletes none, as with the events of the log.
 */
export class CreateAuditCheckpoints1763701071000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    const path = `LANGUAGE plpgsql SET search_path = ${row!.schema}, pg_temp`;
    await runner.query(`
      CREATE TABLE audit_tiles (
        organization_id uuid NOT NULL,
        level smallint NOT NULL,
        tile bigint NOT NULL,
        root bytea NOT NULL,
        hashes bytea,
        last_created_at timestamptz(3),
        last_id text,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT audit_tiles_pkey PRIMARY KEY (organization_id, level, tile)
      );
      ALTER TABLE audit_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;
      CREATE TABLE audit_checkpoints (
        organization_id uuid NOT NULL,
        size bigint NOT NULL,
        note text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (organization_id, size)
      );
      CREATE TABLE audit_keys (
        id uuid CONSTRAINT audit_keys_pkey PRIMARY KEY,
        public_key bytea NOT NULL,
        secret bytea NOT NULL,
        created_at timestamptz(3) NOT NULL
      );
    `);
    await runner.query(protectingMore(path));
    for (const table of ['audit_tiles', 'audit_checkpoints']) await runner.query(erase(table, `${path} SECURITY DEFINER`));
    await runner.query(`
      REVOKE EXECUTE ON FUNCTION erase_audit_tiles(uuid, timestamptz), erase_audit_checkpoints(uuid, timestamptz) FROM PUBLIC;
      SELECT protect_audit_log();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    await runner.query(protectingOnlyEvents(`LANGUAGE plpgsql SET search_path = ${row!.schema}, pg_temp`));
    await runner.query(`
      DROP FUNCTION erase_audit_tiles(uuid, timestamptz), erase_audit_checkpoints(uuid, timestamptz);
      DROP TABLE audit_keys, audit_checkpoints, audit_tiles;
    `);
  }
}

/** The same for more tables. */
export const protectingMore = (path: string): string =>
  protectingOnlyEvents(path).replace("pg_class.oid = 'audit_events'::regclass", `pg_class.oid IN (${PROTECTED})`);

const protectingOnlyEvents = (path: string): string => protectAuditLog(path).replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');

/** As with the events: only of an organization that is being erased. Returns null when there are none left. */
const erase = (table: string, asOwner: string): string => `
  CREATE FUNCTION erase_${table}(organization uuid, since timestamptz) RETURNS timestamptz ${asOwner} AS $$
  DECLARE
    latest timestamptz;
  BEGIN
    IF NOT EXISTS (SELECT FROM organization_erasures WHERE organization_id = organization) THEN
      RAISE insufficient_privilege USING MESSAGE = format('organization %s is not being erased', organization);
    END IF;
    WITH gone AS (
      DELETE FROM ${table} WHERE organization_id = organization AND ctid IN (
        SELECT ctid FROM ${table} WHERE organization_id = organization LIMIT ${ROWS_AT_ONCE})
      RETURNING created_at
    )
    SELECT max(created_at) INTO latest FROM gone;
    RETURN latest;
  END $$`;
