import { inject } from 'vitest';

/**
 * With TEST_POOLER the service reaches the databases of the tests through PgBouncer. Proxies, other roles and poolers that a test
 * chose itself stay as they are, and what a test reads from the database itself goes there directly.
 */
export function throughPooler(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pooler = inject('poolerHost');
  const { DATABASE_URL: given, DATABASE_POOLER: chosen } = env;
  if (!pooler || chosen || !given || !URL.canParse(given)) return env;
  const [url, server] = [new URL(given), new URL(inject('templateUrl'))];
  if (url.host !== server.host || url.username !== server.username) return env;
  url.host = pooler;
  return { ...env, DATABASE_URL: url.href, DATABASE_POOLER: 'transaction' };
}
