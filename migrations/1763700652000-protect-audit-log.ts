import type { MigrationInterface, QueryRunner } from 'typeorm';
import { asOwnerOf, createPartition } from './1763700040000-move-rows-by-two-statements.js';

/** Rows that one call deletes. */
const ROWS_AT_ONCE = 1000;

/**
 * Nobody but the owner of the tables changes or deletes sealed audit events, in the table or in a partition. The role of the service
 * adds them, and deletes those of an organization that is being erased by a function.
 */
export class ProtectAuditLog1763700652000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const asOwner = await asOwnerOf(runner);
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    const path = `LANGUAGE plpgsql SET search_path = ${row!.schema}, pg_temp`;
    await runner.query(protectAuditLog(path));
    await runner.query(eraseAuditEvents(`${path} SECURITY DEFINER`));
    await runner.query(createPartition(asOwner, "IF parent = 'audit_events' THEN PERFORM protect_audit_log(); END IF;"));
    await runner.query(`
      REVOKE EXECUTE ON FUNCTION erase_audit_events(uuid, timestamptz) FROM PUBLIC;
      SELECT protect_audit_log();
    `);
  }

  /** What was revoked is granted again by the statements of docs/operating.md. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(createPartition(await asOwnerOf(runner)));
    await runner.query('DROP FUNCTION erase_audit_events(uuid, timestamptz), protect_audit_log()');
  }
}

/** Run by the owner: default privileges, and a GRANT on all tables, give each new partition and the table away. */
export const protectAuditLog = (path: string): string => `
  CREATE FUNCTION protect_audit_log() RETURNS void ${path} AS $$
  DECLARE
    given record;
  BEGIN
    FOR given IN
      SELECT DISTINCT format('%I.%I', nspname, relname) AS path,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
      FROM pg_class JOIN pg_namespace namespace ON namespace.oid = relnamespace, aclexplode(relacl)
      WHERE (pg_class.oid = 'audit_events'::regclass
          OR pg_class.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'audit_events'::regclass))
        AND grantee <> relowner AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')
    LOOP
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE, TRIGGER ON %s FROM %s', given.path, given.role);
    END LOOP;
  END $$`;

/**
 * Deletes the oldest events of an organization that is being erased, from a time on, and returns the time of the last one; null if there
 * is none. The next call begins there, since to begin anew would mean to pass all those that are deleted already.
 */
const eraseAuditEvents = (asOwner: string): string => `
  CREATE FUNCTION erase_audit_events(organization uuid, since timestamptz) RETURNS timestamptz ${asOwner} AS $$
  DECLARE
    latest timestamptz;
  BEGIN
    IF NOT EXISTS (SELECT FROM organization_erasures WHERE organization_id = organization) THEN
      RAISE insufficient_privilege USING MESSAGE = format('organization %s is not being erased', organization);
    END IF;
    WITH gone AS (
      DELETE FROM audit_events WHERE organization_id = organization AND created_at >= since AND (created_at, id) IN (
        SELECT created_at, id FROM audit_events WHERE organization_id = organization AND created_at >= since
          ORDER BY created_at, id LIMIT ${ROWS_AT_ONCE})
      RETURNING created_at
    )
    SELECT max(created_at) INTO latest FROM gone;
    RETURN latest;
  END $$`;
