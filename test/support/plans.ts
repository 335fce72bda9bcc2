import pg from 'pg';
import { poolOf } from '../../src/store/database/borrowed.js';
import { Database } from '../../src/store/database/database.js';
import type { TestApp } from './app.js';
import { createDatabase } from './database.js';
import { openSession } from './session.js';
import { statementsIn, type Sent } from './tenant-statements.js';

/** Collects the statements that an application sends from now on, by their text, with their names. */
export function collectStatements({ app }: Pick<TestApp, 'app'>): Map<string, string> {
  const collected = new Map<string, string>();
  const watched = new WeakSet<pg.PoolClient>();
  poolOf(app.get(Database).dataSource).on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const noted = (sent: Sent, ...rest: unknown[]): unknown => {
      for (const { name = '', text } of statementsIn(sent)) collected.set(text, name);
      return query(sent, ...rest);
    };
    Object.assign(client, { query: noted });
  });
  return collected;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'TID Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

const PLANNED = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;

/** Tells which tables a statement reads row by row, even if Postgres is asked to avoid that: no index has what it looks for. */
export class Plans {
  private constructor(
    private readonly client: pg.Client,
    private readonly drop: () => Promise<void>,
  ) {}

  /** In an empty database: where Postgres has counted few rows, it reads a whole index for one of them. */
  static async create(): Promise<Plans> {
    const { url, drop } = await createDatabase();
    const client = await openSession(url);
    // Small tables of a test would be read whole, so the planner is told that this costs a fortune.
    await client.query('SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; SET jit = off');
    return new Plans(client, drop);
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.drop();
  }

  /** The tables that the statement reads without a condition of an index. */
  async readWhole(text: string): Promise<string[]> {
    if (!PLANNED.test(text)) return [];
    await this.client.query(`PREPARE examined AS ${text}`);
    try {
      const { rows } = await this.client.query<{ types: number }>(
        "SELECT cardinality(parameter_types) AS types FROM pg_prepared_statements WHERE name = 'examined'",
      );
      const values = Array.from({ length: rows[0]!.types }, () => 'NULL').join(', ');
      const explained = await this.client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE examined${values === '' ? '' : `(${values})`}`,
      );
      return [...new Set(tablesReadWhole(explained.rows[0]!['QUERY PLAN'][0].Plan))];
    } finally {
      await this.client.query('DEALLOCATE examined');
    }
  }
}

function tablesReadWhole(node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap(tablesReadWhole);
  const table = node['Relation Name'];
  const isScan = node['Node Type'].endsWith('Scan') && table !== undefined && node['Node Type'] !== 'Bitmap Heap Scan';
  const hasCondition = node['Index Cond'] !== undefined || node['TID Cond'] !== undefined;
  return isScan && !hasCondition ? [...below, table] : below;
}
