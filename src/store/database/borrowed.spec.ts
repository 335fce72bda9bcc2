import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { poolOf, runnerOn, sendTogether } from './borrowed.js';

// What is tried here is not part of any published interface. When one of these fails after an upgrade, the library has moved
// what we borrow: docs/dependencies.md says what for.

let source: DataSource;
beforeAll(async () => {
  source = await new DataSource({ type: 'postgres', url: inject('databaseUrl'), entities: [], extra: { pipeline: true } }).initialize();
});
afterAll(() => source.destroy());

it('TypeORM keeps its pg pool where we look for it', async () => {
  expect(poolOf(source)).toBeInstanceOf(pg.Pool);
  expect((await poolOf(source).query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('a query runner of TypeORM takes part in a transaction on a connection of ours', async () => {
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

it('statements of one turn of the event loop leave in one packet', async () => {
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
