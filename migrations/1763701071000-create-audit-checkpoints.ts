import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows that one call deletes. */
const ROWS_AT_ONCE = 1000;
const PROTECTED = ['audit_events', 'audit_tiles', 'audit_checkpoints'];

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
    await runner.query(protectAuditLog(path, PROTECTED));
    for (const table of ['audit_tiles', 'audit_checkpoints']) await runner.query(erase(table, `${path} SECURITY DEFINER`));
    await runner.query('SELECT protect_audit_log()');
  }

  async down(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    await runner.query(protectAuditLog(`LANGUAGE plpgsql SET search_path = ${row!.schema}, pg_temp`, ['audit_events']));
    await runner.query(`
      DROP FUNCTION erase_audit_tiles(uuid, timestamptz), erase_audit_checkpoints(uuid, timestamptz);
      DROP TABLE audit_keys, audit_checkpoints, audit_tiles;
    `);
  }
}

const protectAuditLog = (path: string, tables: readonly string[]): string => `
  CREATE OR REPLACE FUNCTION protect_audit_log() RETURNS void ${path} AS $$
  DECLARE
    given record;
  BEGIN
    FOR given IN
      SELECT DISTINCT format('%I.%I', nspname, relname) AS path,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
      FROM pg_class JOIN pg_namespace namespace ON namespace.oid = relnamespace, aclexplode(relacl)
      WHERE (pg_class.oid IN (${tables.map((table) => `'${table}'::regclass`).join(', ')})
          OR pg_class.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'audit_events'::regclass))
        AND grantee <> relowner AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')
    LOOP
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE, TRIGGER ON %s FROM %s', given.path, given.role);
    END LOOP;
  END $$`;

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
  END $$;
  REVOKE EXECUTE ON FUNCTION erase_${table}(uuid, timestamptz) FROM PUBLIC`;
