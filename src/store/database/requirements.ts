import type { DataSource, QueryFailedError } from 'typeorm';
import { StartError } from '../../kernel/settings/settings.js';

/** The numbers of Postgres have four digits after the major version. */
const MIN_POSTGRES = 15;
const PER_MAJOR = 10_000;

const SERVER = `
  SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding, quote_ident(current_database()) AS database`;

interface Server {
  readonly number: number;
  readonly version: string;
  readonly encoding: string;
  readonly database: string;
}

export async function requireServer(source: DataSource): Promise<string> {
  const [{ number, version, encoding, database }] = await source.query<[Server]>(SERVER);
  if (number < MIN_POSTGRES * PER_MAJOR) throw new StartError(`Postgres ${version} is too old: ${MIN_POSTGRES} or newer is needed.`);
  if (encoding !== 'UTF8')
    throw new StartError(
      `The database ${database} has the encoding ${encoding}: create it anew with ENCODING 'UTF8' and TEMPLATE template0.`,
    );
  return version;
}

const SCHEMA = `
  SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database, current_setting('search_path') AS path,
    quote_ident(current_schema()) AS schema, has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
    (SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class
      WHERE oid = to_regclass(quote_ident(current_schema()) || '.migrations')) AS owner`;

interface Schema {
  readonly role: string;
  readonly database: string;
  readonly path: string;
  /** Where tables are created: null if the search path names no schema that the role may use. */
  readonly schema: string | null;
  readonly mayCreate: boolean | null;
  /** Of the tables; null if there are none yet. */
  readonly owner: string | null;
}

// The indexes name an operator class of pg_trgm, so it must be on the search path.
const EXTENSIONS = `
  SELECT name, quote_ident(nspname) AS schema, nspname IS NOT NULL AND nspname <> ALL (current_schemas(true)) AS "isHidden"
  FROM unnest('{pg_trgm,btree_gin}'::text[]) AS name LEFT JOIN pg_extension ON extname = name
    LEFT JOIN pg_namespace namespace ON namespace.oid = extnamespace`;

interface Extension {
  readonly name: string;
  /** Null if the database does not have it. */
  readonly schema: string | null;
  readonly isHidden: boolean;
}

type Place = Pick<Schema, 'role' | 'database'> & { readonly schema: string };

/** Of a server whose administrator has not set another one. */
const DEFAULT_PATH = '"$user", public';

/** Throws unless the migrations can create their tables. Creates the extensions that are missing, or says who can. */
export async function requireSchema(source: DataSource): Promise<void> {
  const [{ role, database, path, schema, mayCreate, owner }] = await source.query<[Schema]>(SCHEMA);
  if (schema === null)
    throw new StartError(
      `The search_path of the database role ${role} (${path}) names no schema that exists and that it may use: ` +
        'docs/operating.md says how to choose one.',
    );
  if (!mayCreate)
    throw new StartError(
      `The database role ${role} may not create tables in the schema ${schema}: ` +
        (owner === role
          ? `as an administrator, run GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`
          : `run the migrations as ${owner ?? 'a role of their own'}, which owns the tables (DATABASE_DIRECT_URL): ` +
            'docs/operating.md says how the two roles are made.'),
    );
  const extensions = await source.query<Extension[]>(EXTENSIONS);
  const hidden = extensions.find(({ isHidden }) => isHidden);
  if (hidden) {
    const found = [path === DEFAULT_PATH ? schema : path, hidden.schema].join(', ');
    throw new StartError(
      `The extension ${hidden.name} is in the schema ${hidden.schema}, which the database role ${role} does not look in: ` +
        `run ALTER ROLE ${role} IN DATABASE ${database} SET search_path = ${found};`,
    );
  }
  const missing = extensions.filter((extension) => extension.schema === null).map(({ name }) => name);
  if (missing.length > 0) await createExtensions(source, missing, { role, database, schema });
}

/** In one statement, so that either all or none of them are created. */
async function createExtensions(source: DataSource, names: readonly string[], { role, database, schema }: Place): Promise<void> {
  const sql = names.map((name) => `CREATE EXTENSION ${name} SCHEMA ${schema};`).join(' ');
  try {
    await source.query(sql);
  } catch (error) {
    const { message } = await findRefusal(error);
    const what = `${names.length > 1 ? 'extensions' : 'extension'} ${names.join(' and ')}`;
    throw new StartError(
      `The database role ${role} cannot create the ${what} (${message}): ` + `as an administrator, run in the database ${database}: ${sql}`,
    );
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** A migration that the role may not run becomes one line. */
export async function withPrivilegesNamed<T>(source: DataSource, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { message, driverError } = await findRefusal(error);
    if ((driverError as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    const [{ role }] = await source.query<[{ role: string }]>('SELECT quote_ident(current_user) AS role');
    throw new StartError(
      `The database role ${role} may not do what the migrations do (${message}): ` +
        'run them as the role that owns the tables (DATABASE_DIRECT_URL).',
    );
  }
}

/** What the server has refused; other errors are thrown. TypeORM is loaded here, because commands begin without it. */
async function findRefusal(error: unknown): Promise<QueryFailedError> {
  const { QueryFailedError: Refusal } = await import('typeorm');
  if (!(error instanceof Refusal)) throw error;
  return error;
}

/** The tables belong to the role that ran the migrations; the functions create and drop partitions, and erase sealed audit events. */
const MISSING = `
  WITH own AS (SELECT relowner AS owner, relnamespace AS schema FROM pg_class WHERE oid = to_regclass('migrations')),
  tables AS (
    SELECT relname AS name, format('%I.%I', nspname, relname) AS path,
      CASE WHEN relname IN ('migrations', 'extension_migrations') THEN '{SELECT}'::text[]
        WHEN relname IN ('audit_events', 'audit_tiles', 'audit_checkpoints') THEN '{SELECT,INSERT}'
        ELSE '{SELECT,INSERT,UPDATE,DELETE}' END AS needed
    FROM pg_class JOIN own ON relowner = owner AND relnamespace = schema JOIN pg_namespace namespace ON namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND relname !~ '_\\d{8}$'
  )
  SELECT privilege || ' on ' || name AS missing FROM tables, unnest(needed) AS privilege WHERE NOT has_table_privilege(path, privilege)
  UNION ALL
  SELECT 'EXECUTE on ' || proname FROM pg_proc JOIN own ON pronamespace = schema
  WHERE (proname IN ('create_partition', 'drop_partition') OR proname LIKE 'erase_audit_%')
    AND NOT has_function_privilege(pg_proc.oid, 'EXECUTE')
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
