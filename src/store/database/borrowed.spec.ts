import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addressOf, cutOff, poolOf, runnerOn, sendTogether } from './borrowed.js';

// What is tested here is not part of any published interface. If one of these fails after an upgrade, the library has changed
// something that we borrow: docs/dependencies.md says what it is for.

let source: DataSource;
beforeAll(async () => {
  source = await new DataSource({ type: 'postgres', url: inject('databaseUrl'), entities: [], extra: { pipeline: true } }).initialize();
});
afterAll(() => source.destroy());

it('TypeORM keeps its pg pool where we look for it', async () => {
  expect(poolOf(source)).toBeInstanceOf(pg.Pool);
  expect((await poolOf(source).query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('a TypeORM query runner takes part in a transaction on our connection', async () => {
  const client = await poolOf(source).connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('claims.borrowed', 'in this transaction', true)");
    const rows = await source
      .createEntityManager(runnerOn(source, client))
      .query<{ value: string }[]>("SELECT current_setting('claims.borrowed', true) AS value");
    expect(rows).toEqual([{ value: 'in this transaction' }]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('statements of one turn of the event loop are sent in one packet', async () => {
  const client = await poolOf(source).connect();
  const { stream } = (client as unknown as { connection: { stream: { writableCorked: number } } }).connection;
  try {
    sendTogether(client);
    sendTogether(client);
    expect(stream.writableCorked).toBe(1);
    const answers = await Promise.all([client.query('SELECT 1'), client.query('SELECT 2')]);
    expect(answers.map(({ rowCount }) => rowCount)).toEqual([1, 1]);
    expect(stream.writableCorked).toBe(0);
  } finally {
    client.release();
  }
});

it('a connection tells where it leads', async () => {
  const client = await poolOf(source).connect();
  expect(addressOf(client)).toMatch(/^(127\.0\.0\.1|::1)$/);
  client.release();
});

it('a connection that is cut off fails its statements and leaves the pool', async () => {
  const client = await poolOf(source).connect();
  client.on('error', () => undefined);
  const slow = client.query('SELECT pg_sleep(60)');
  cutOff(client);
  await expect(slow).rejects.toThrow('Connection terminated');
  client.release();
  expect(poolOf(source).idleCount).toBe(poolOf(source).totalCount);
});
