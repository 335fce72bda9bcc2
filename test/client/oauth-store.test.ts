import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import ts from 'typescript';
import { describe, expect, inject, it } from 'vitest';
import { MemoryTokenStore, type Tokens, type TokenStore } from '../../client/src/oauth.js';
import { newId } from '../../src/kernel/ids.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const tokensNamed = (name: string): Tokens => ({
  accessToken: `a ${name}`,
  refreshToken: `r ${name}`,
  expiresAt: 1_800_000_000_000,
  scope: 'x y',
});

/** What every store must do. */
async function expectRules(store: TokenStore): Promise<void> {
  const [one, other] = [newId(), newId()];
  const [first, second, third] = ['1', '2', '3'].map(tokensNamed) as [Tokens, Tokens, Tokens];
  expect(await store.get(one)).toBeUndefined();
  expect(await store.replace(one, first.refreshToken, second)).toBe(false);
  expect(await store.get(one)).toBeUndefined();
  await store.set(one, tokensNamed('0'));
  await store.set(one, first);
  await store.set(other, first);
  expect(await store.get(one)).toEqual(first);
  const both = await Promise.all([second, third].map(async (tokens) => store.replace(one, first.refreshToken, tokens)));
  expect([...both].sort()).toEqual([false, true]);
  expect(await store.get(one)).toEqual(both[0] ? second : third);
  expect(await store.replace(one, first.refreshToken, first)).toBe(false);
  expect(await store.get(other)).toEqual(first);
  await store.delete(one);
  await store.delete(one);
  expect([await store.get(one), await store.get(other)]).toEqual([undefined, first]);
}

describe('only one of two renewals is stored', () => {
  it('in memory', () => expectRules(new MemoryTokenStore()));

  it('in Postgres, by the table and the class of the README', async () => {
    const readme = await readFile('client/README.md', 'utf8');
    const [, table] = /```sql\n(CREATE TABLE connections[^]+?)```/.exec(readme)!;
    const block = [...readme.matchAll(/```ts\n([^]+?)```/g)]
      .map(([, code]) => code!)
      .find((code) => code.includes('implements TokenStore'))!;
    const { outputText } = ts.transpileModule(block, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
    const folder = await mkdtemp(join(tmpdir(), 'claims-store-'));
    const database = await createDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    try {
      await writeFile(join(folder, 'store.mjs'), outputText);
      const { PostgresTokenStore } = (await import(pathToFileURL(join(folder, 'store.mjs')).href)) as {
        PostgresTokenStore: new (pool: pg.Pool) => TokenStore;
      };
      await pool.query(table!);
      await expectRules(new PostgresTokenStore(pool));
    } finally {
      await pool.end();
      // It does not wait for its connections.
      const name = new URL(database.url).pathname.slice(1);
      const open = 'SELECT 1 FROM pg_stat_activity WHERE datname = $1';
      await eventually(async () => expect(await rowsOf(inject('databaseUrl'), open, [name])).toEqual([]));
      await database.drop();
      await rm(folder, { recursive: true });
    }
  });
});
