import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PROTECTED, protectingMore } from './1763701071000-create-audit-checkpoints.js';

const TABLES = ['audit_events', 'audit_tiles', 'audit_checkpoints'];

/**
 * Privileges bind the role of the service, but not the owner of the tables. Triggers bind both: sealed events, tiles and checkpoints are not
 * changed, and deleted only with their organization; a chain only grows; a key that has signed stays. Only an administrator of the server
 * can go past them, by `session_replication_role`, or the owner by removing them, which docker/audit-guard.sql refuses as well.
 */
export class KeepAuditLog1763701075000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const path = await pathOf(runner);
    await runner.query(keepAuditLog(path));
    for (const table of TABLES) await runner.query(trigger(table, 'audit_log_is_kept', 'UPDATE OR DELETE', 'ROW'));
    await runner.query(trigger('audit_chains', 'audit_log_is_kept', 'UPDATE OR DELETE', 'ROW'));
    await runner.query(trigger('audit_keys', 'audit_log_is_kept', 'UPDATE OR DELETE', 'ROW'));
    for (const table of ['audit_chains', 'audit_keys'])
      await runner.query(trigger(table, 'audit_log_is_kept_whole', 'TRUNCATE', 'STATEMENT'));
    await runner.query(`${protectingWhole(path)}; SELECT protect_audit_log()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(protectingMore(await pathOf(runner)));
    await runner.query('DROP FUNCTION keep_audit_log() CASCADE');
  }
}

async function pathOf(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
  return `LANGUAGE plpgsql SET search_path = ${row!.schema}, pg_temp`;
}

const trigger = (table: string, name: string, events: string, each: 'ROW' | 'STATEMENT'): string =>
  `CREATE TRIGGER ${name} BEFORE ${events} ON ${table} FOR EACH ${each} EXECUTE FUNCTION keep_audit_log()`;

const keepAuditLog = (path: string): string => `
  CREATE FUNCTION keep_audit_log() RETURNS trigger ${path} AS $$
  BEGIN
    -- One after the other: an expression is prepared for all columns that it names, and not all tables have them.
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'audit_keys' THEN
      IF (NEW.id, NEW.public_key, NEW.created_at) = (OLD.id, OLD.public_key, OLD.created_at) THEN RETURN NEW; END IF;
    ELSIF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'audit_chains' THEN
      IF NEW.organization_id = OLD.organization_id AND NEW.sequence >= OLD.sequence THEN RETURN NEW; END IF;
    ELSIF TG_OP = 'DELETE' AND TG_TABLE_NAME <> 'audit_keys' THEN
      IF EXISTS (SELECT FROM organization_erasures WHERE organization_id = OLD.organization_id) THEN RETURN OLD; END IF;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = format('%s on %s: what is sealed is not changed', TG_OP, TG_TABLE_NAME),
      HINT = 'Audit logs are only added to, and erased only with their organization.';
  END $$`;

/** A trigger against TRUNCATE is not inherited, so each partition gets one of its own, as it gets its privileges. */
const protectingWhole = (path: string): string => `
  CREATE OR REPLACE FUNCTION protect_audit_log() RETURNS void ${path} AS $$
  DECLARE
    given record;
  BEGIN
    FOR given IN
      SELECT DISTINCT format('%I.%I', nspname, relname) AS path,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
      FROM pg_class JOIN pg_namespace namespace ON namespace.oid = relnamespace, aclexplode(relacl)
      WHERE (pg_class.oid IN (${PROTECTED})
          OR pg_class.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'audit_events'::regclass))
        AND grantee <> relowner AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')
    LOOP
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE, TRIGGER ON %s FROM %s', given.path, given.role);
    END LOOP;
    FOR given IN
      SELECT format('%I.%I', nspname, relname) AS path
      FROM pg_class JOIN pg_namespace namespace ON namespace.oid = relnamespace
      WHERE (pg_class.oid IN (${PROTECTED})
          OR pg_class.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'audit_events'::regclass))
        AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = 'audit_log_is_kept_whole')
    LOOP
      EXECUTE format('CREATE TRIGGER audit_log_is_kept_whole BEFORE TRUNCATE ON %s EXECUTE FUNCTION keep_audit_log()', given.path);
    END LOOP;
  END $$`;
