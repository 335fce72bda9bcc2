import { readFileSync } from 'node:fs';
import { newId } from '../../src/kernel/ids.js';
import { migrateDatabase } from './migrated.js';
import { inSession } from './session.js';

interface Node {
  readonly host: string;
  readonly port: number;
}

const NODES = 'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid';

/** Whether the tests run on a Citus cluster. What such a test needs and Citus cannot give is said where it is left out. */
export const leftOutOnCitus = (_why: string): boolean => process.env.TEST_CITUS_URL !== undefined;

/** The query of docs/citus.md whose rows are the statements that distribute the tables. */
export function placingSql(): string {
  const blocks = [...readFileSync('docs/citus.md', 'utf8').matchAll(/^```sql\n([^]*?)^```$/gm)].map(([, sql]) => sql!);
  const [found, ...others] = blocks.filter((sql) => sql.includes('create_distributed_table'));
  if (found === undefined || others.length > 0) throw new Error('docs/citus.md must have one query that distributes the tables.');
  return found;
}

/** The rows that a look at the sessions of a database finds, on Citus on all its servers: a worker has the locks of its rows. */
export async function rowsOfAllServers(databaseUrl: string, sql: string): Promise<object[]> {
  const nodes = process.env.TEST_CITUS_URL ? await nodesOf(databaseUrl) : [];
  const urls = nodes.length > 0 ? nodes.map((node) => on(databaseUrl, node, new URL(databaseUrl).pathname.slice(1))) : [databaseUrl];
  return (await Promise.all(urls.map((url) => rows(url, sql)))).flat();
}

/** The rows of a distributed database are on several servers, so it cannot be copied: `createDatabase` makes each anew. */
export async function openOnCitus(coordinator: string) {
  const name = `shared_${newId().replaceAll('-', '')}`;
  const databaseUrl = await createOnCitus(coordinator, name);
  return { databaseUrl, templateUrl: databaseUrl, stop: () => dropOnCitus(coordinator, name) };
}

/** Creates a migrated and distributed database on the cluster whose coordinator TEST_CITUS_URL names. */
export async function createOnCitus(coordinator: string, name: string): Promise<string> {
  const nodes = await nodesOf(coordinator);
  for (const node of nodes) {
    await execute(on(coordinator, node, 'postgres'), `CREATE DATABASE "${name}"`);
    await execute(on(coordinator, node, name), 'CREATE EXTENSION citus');
  }
  const url = on(coordinator, nodes[0]!, name);
  const [first, ...workers] = nodes;
  await execute(url, `SELECT citus_set_coordinator_host('${first!.host}', ${first!.port})`);
  for (const { host, port } of workers) await execute(url, `SELECT citus_add_node('${host}', ${port})`);
  await migrateDatabase(url);
  for (const { statement } of await rows<{ statement: string }>(url, placingSql())) await execute(url, statement);
  return url;
}

export async function dropOnCitus(coordinator: string, name: string): Promise<void> {
  for (const node of await nodesOf(coordinator)) {
    await execute(on(coordinator, node, 'postgres'), `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}

const nodesOf = (coordinator: string): Promise<Node[]> => rows<Node>(coordinator, NODES);

async function rows<Row extends object>(url: string, sql: string): Promise<Row[]> {
  return inSession(url, async (client) => (await client.query<Row>(sql)).rows);
}

const on = (coordinator: string, { host, port }: Node, database: string): string =>
  Object.assign(new URL(coordinator), { host: `${host}:${port}`, pathname: `/${database}` }).href;

async function execute(url: string, sql: string): Promise<void> {
  await inSession(url, (client) => client.query(sql));
}
