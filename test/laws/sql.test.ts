import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { declaredSql } from '../../src/store/database/prepared-statements.js';
import { startApp } from '../support/app.js';

const app = await startApp();
afterAll(() => app.close());

const CAN_BE_PREPARED = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;

/** What Postgres says against a statement; undefined if it can run. */
async function faultOf(client: pg.Client, text: string): Promise<string | undefined> {
  try {
    await client.query(`PREPARE examined AS ${text}`);
    await client.query('DEALLOCATE examined');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

it('every statement fits the migrated tables: a column that was renamed is missed here', async () => {
  const client = new pg.Client(app.databaseUrl);
  await client.connect();
  const statements = [...declaredSql()].filter(([, text]) => CAN_BE_PREPARED.test(text));
  expect(statements.length).toBeGreaterThan(200);
  const faults: Record<string, string> = {};
  for (const [name, text] of statements) {
    const fault = await faultOf(client, text);
    if (fault !== undefined) faults[name] = fault;
  }
  expect(faults).toEqual({});
  const one = statements.map(([, text]) => text).find((text) => text.includes('organization_id'))!;
  expect(await faultOf(client, one.replace('organization_id', 'organisation_id'))).toContain('organisation_id');
  await client.end();
});
