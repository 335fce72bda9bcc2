import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { UnansweredConnections } from './database.js';

async function connections(count: number): Promise<pg.PoolClient[]> {
  const pool = new pg.Pool({ connectionString: inject('databaseUrl'), pipeline: true, max: count });
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  for (const client of clients) client.on('error', () => undefined);
  onTestFinished(async () => {
    for (const client of clients) client.release(true);
    await pool.end();
  });
  return clients;
}

it('ends a connection whose server does not answer, and none that is asked many things one after the other, or nothing', async () => {
  const [silent, busy, idle] = (await connections(3)) as [pg.PoolClient, pg.PoolClient, pg.PoolClient];
  const unanswered = new UnansweredConnections(new Set([silent, busy, idle]), 1500, 50);
  onTestFinished(() => unanswered.stop());
  let isOver = false;
  const waiting = silent.query('SELECT pg_sleep(60)').finally(() => (isOver = true));
  const refused = expect(waiting).rejects.toThrow('Connection terminated');
  while (!isOver) await Promise.all([1, 2].map((n) => busy.query('SELECT pg_sleep(0.05), $1::int', [n])));
  await refused;
  expect((await busy.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect((await idle.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
