import type { DataSource } from 'typeorm';
import { StartError } from '../../kernel/start-error.js';

/** The tables belong to the role that ran the migrations; the functions create and drop partitions, and erase sealed audit events. */
const MISSING = `
  WITH own AS (SELECT relowner AS owner, relnamespace AS schema FROM pg_class WHERE oid = to_regclass('migrations')),
  tables AS (
    SELECT relname AS name, format('%I.%I', nspname, relname) AS path,
      CASE WHEN relname IN ('migrations', 'extension_migrations') THEN '{SELECT}'::text[]
        WHEN relname = 'audit_events' THEN '{SELECT,INSERT}' ELSE '{SELECT,INSERT,UPDATE,DELETE}' END AS needed
    FROM pg_class JOIN own ON relowner = owner AND relnamespace = schema JOIN pg_namespace namespace ON namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND relname !~ '_\\d{8}$'
  )
  SELECT privilege || ' on ' || name AS missing FROM tables, unnest(needed) AS privilege WHERE NOT has_table_privilege(path, privilege)
  UNION ALL
  SELECT 'EXECUTE on ' || proname FROM pg_proc JOIN own ON pronamespace = schema
  WHERE proname IN ('create_partition', 'drop_partition', 'erase_audit_events') AND NOT has_function_privilege(pg_proc.oid, 'EXECUTE')
  ORDER BY 1`;

const NAMED = 3;

/** Throws unless the role may do what the service does. One line, before anything starts: a job would fail weeks later. */
export async function requirePrivileges(source: DataSource): Promise<string> {
  const [{ role }] = await source.query<[{ role: string }]>('SELECT current_user AS role');
  const missing = (await source.query<{ missing: string }[]>(MISSING)).map((row) => row.missing);
  if (missing.length === 0) return role;
  const named = missing.slice(0, NAMED).join(', ') + (missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '');
  throw new StartError(`The database role ${role} lacks ${named}: grant them as docs/operating.md says.`);
}
