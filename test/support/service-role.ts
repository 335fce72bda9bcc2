import { inSession } from './session.js';

/** The applications of the tests have the rights of the role of the service, as docs/operating.md gives them. It is of the whole server. */
const ROLE = 'claims_service_of_tests';

const MAKE = `
  DO $$ BEGIN CREATE ROLE ${ROLE}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
  GRANT USAGE ON SCHEMA public TO ${ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE};
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${ROLE};
  -- Its connections are begun by another role, whose transactions it would not be told of.
  GRANT pg_read_all_stats TO ${ROLE};
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${ROLE};
  SELECT protect_audit_log()`;

async function query(databaseUrl: string, sql: string): Promise<readonly { has?: boolean }[]> {
  return inSession(databaseUrl, async (client) => (await client.query<{ has?: boolean }>(sql)).rows);
}

export const grantToService = async (databaseUrl: string): Promise<void> => void (await query(databaseUrl, MAKE));

/** Copies of the template have them; a database that a test has restored or migrated anew has not. */
export const hasGrants = (databaseUrl: string): Promise<boolean> =>
  query(databaseUrl, `SELECT has_table_privilege('${ROLE}', 'organizations', 'INSERT') AS has`).then(
    ([row]) => row?.has === true,
    () => false,
  );

/** A connection that becomes this role as it begins. */
export function asService(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c role=${ROLE}`);
  return url.href;
}
