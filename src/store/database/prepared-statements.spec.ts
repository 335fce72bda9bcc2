import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { execute, executeOnce, parameters, PreparedStatements } from './prepared-statements.js';
import { cutOff, sendTogether } from './borrowed.js';

// The batch speaks pg's protocol with messages that pg does not publish: docs/dependencies.md says which.

let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: inject('databaseUrl'), pipeline: true, max: 4 });
});
afterAll(() => pool.end());

const NUMBER = { name: 'spec.number', text: 'SELECT $1::int AS number, $2::text AS label' };
const BROKEN = { name: 'spec.broken', text: 'SELECT 1 / $1::int AS number' };
const UNKNOWN = { name: 'spec.unknown', text: 'SELECT * FROM no_such_table WHERE id = $1' };

type Asked = readonly [statement: { name: string; text: string }, ...values: unknown[]];

/** What each look-up of a batch is answered with: its rows, or the code of its error. */
function ask(client: pg.PoolClient, ...asked: readonly Asked[]): Promise<unknown[]> {
  const answers: Promise<unknown>[] = [];
  const executions = asked.map(([statement, ...values]) => {
    const { promise, resolve, reject } = withResolvers();
    answers.push(promise.catch((error: { code?: string; message: string }) => error.code ?? error.message));
    return { statement, values: parameters(values), resolve, reject };
  });
  void client.query(new PreparedStatements(client, executions));
  return Promise.all(answers);
}

function withResolvers(): { promise: Promise<unknown>; resolve: (rows: object[]) => void; reject: (error: unknown) => void } {
  let [resolve, reject]: [(rows: object[]) => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<unknown>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}

async function withClient(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  client.on('error', () => undefined);
  try {
    await work(client);
  } finally {
    client.release(true);
  }
}

it('answers each look-up of a batch with its own rows, the first time and later', () =>
  withClient(async (client) => {
    for (let round = 0; round < 3; round += 1)
      expect(await ask(client, [NUMBER, '1', 'a'], [NUMBER, '2', null], [NUMBER, '3', 'ü'])).toEqual([
        [{ number: 1, label: 'a' }],
        [{ number: 2, label: null }],
        [{ number: 3, label: 'ü' }],
      ]);
  }));

it('answers a look-up that finds nothing with no rows', () =>
  withClient(async (client) => {
    const nothing = { name: 'spec.nothing', text: 'SELECT 1 AS one WHERE $1::text IS NULL' };
    expect(await ask(client, [nothing, 'x'], [NUMBER, '1', 'a'])).toEqual([[], [{ number: 1, label: 'a' }]]);
  }));

it('one that fails does not fail the others of its batch', () =>
  withClient(async (client) => {
    for (let round = 0; round < 3; round += 1)
      expect(await ask(client, [NUMBER, '1', 'a'], [BROKEN, '0'], [NUMBER, '2', 'b'], [UNKNOWN, '1'], [BROKEN, '1'])).toEqual([
        [{ number: 1, label: 'a' }],
        '22012',
        [{ number: 2, label: 'b' }],
        '42P01',
        [{ number: 1 }],
      ]);
  }));

it('one that fails does not fail the batches that were sent behind it', () =>
  withClient(async (client) => {
    const batches = [
      ask(client, [BROKEN, '0'], [NUMBER, '1', 'a']),
      ask(client, [NUMBER, '2', 'b'], [BROKEN, '1']),
      ask(client, [UNKNOWN, '1']),
      ask(client, [BROKEN, '1'], [NUMBER, '3', 'c']),
    ];
    expect(await Promise.all(batches)).toEqual([
      ['22012', [{ number: 1, label: 'a' }]],
      [[{ number: 2, label: 'b' }], [{ number: 1 }]],
      ['42P01'],
      [[{ number: 1 }], [{ number: 3, label: 'c' }]],
    ]);
  }));

it('reads a statement anew whose columns a migration has changed', () =>
  withClient(async (client) => {
    await client.query('CREATE TEMPORARY TABLE things (id int, name text); INSERT INTO things VALUES (1, $$a$$)');
    const things = { name: 'spec.things', text: 'SELECT * FROM things WHERE id = $1::int' };
    expect(await ask(client, [things, '1'])).toEqual([[{ id: 1, name: 'a' }]]);
    await client.query('ALTER TABLE things ADD COLUMN more int');
    expect(await ask(client, [things, '1'])).toEqual(['0A000']);
    expect(await ask(client, [things, '1'])).toEqual([[{ id: 1, name: 'a', more: null }]]);
  }));

it('a value that its parser cannot read fails its look-up only', () =>
  withClient(async (client) => {
    client.setTypeParser(1082, () => {
      throw new Error('no such day');
    });
    const day = { name: 'spec.day', text: 'SELECT $1::date AS day' };
    expect(await ask(client, [day, '2026-01-01'], [NUMBER, '1', 'a'])).toEqual(['no such day', [{ number: 1, label: 'a' }]]);
  }));

it('a connection that ends fails all that wait', () =>
  withClient(async (client) => {
    const slow = { name: 'spec.slow', text: 'SELECT pg_sleep($1::int)::text AS slept' };
    const answers = ask(client, [slow, '60'], [NUMBER, '1', 'a']);
    cutOff(client);
    for (const answer of await answers) expect(answer).toMatch(/^Connection terminated/);
  }));

it('refuses a second statement with the name of another, and ends the connection: a COMMIT may be behind it', () =>
  withClient(async (client) => {
    await ask(client, [NUMBER, '1', 'a']);
    expect(await ask(client, [{ name: NUMBER.name, text: 'SELECT 2 AS number' }])).toEqual([
      `Two statements have the name ${NUMBER.name}.`,
    ]);
    expect(await ask(client, [NUMBER, '1', 'a'])).toEqual([expect.stringMatching(/^Connection terminated|not queryable/)]);
  }));

it('takes part in a packet with other statements of its turn', () =>
  withClient(async (client) => {
    sendTogether(client);
    const one = client.query<{ one: number }>('SELECT 1 AS one');
    const batch = ask(client, [NUMBER, '1', 'a']);
    expect([(await one).rows, await batch]).toEqual([[{ one: 1 }], [[{ number: 1, label: 'a' }]]]);
  }));

it('sends lists as arrays, other objects as JSON, and bytes as they are', () =>
  withClient(async (client) => {
    const text = `SELECT $1::text[] AS list, $2::json AS "object", encode($3::bytea, 'hex') AS bytes, $4::int AS n, $5::boolean AS is`;
    const values = [['a', 'b "c"', null], { a: [1] }, Buffer.from([0, 255]), 7, false];
    const answer = [{ list: ['a', 'b "c"', null], object: { a: [1] }, bytes: '00ff', n: 7, is: false }];
    for (let round = 0; round < 2; round += 1) expect(await execute(client, { name: 'spec.kinds', text }, values)).toEqual(answer);
  }));

it('a parameter that cannot be sent fails before anything is sent', () =>
  withClient(async (client) => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await expect(execute(client, NUMBER, ['1', circle])).rejects.toThrow('circular');
    expect(await execute(client, NUMBER, ['1', 'a'])).toEqual([{ number: 1, label: 'a' }]);
  }));

it('after a statement has failed, those behind it in its transaction fail, and all can be run again in another', () =>
  withClient(async (client) => {
    await client.query('CREATE TEMPORARY TABLE kept (id int PRIMARY KEY)');
    const keep = { name: 'spec.keep', text: 'INSERT INTO kept VALUES ($1::int)' };
    await client.query('BEGIN');
    const sent = [
      execute(client, keep, [1]),
      execute(client, keep, [1]),
      execute(client, NUMBER, [1, 'a']),
      execute(client, NUMBER, [2, 'b']),
    ];
    const answers = await Promise.allSettled(sent);
    const codeOf = (answer: PromiseSettledResult<object[]>) =>
      answer.status === 'rejected' ? (answer.reason as { code: string }).code : 'done';
    expect(answers.map(codeOf)).toEqual(['done', '23505', '25P02', '25P02']);
    await client.query('ROLLBACK');
    for (const id of [1, 2]) expect(await execute(client, keep, [id])).toEqual([]);
    expect(await execute(client, NUMBER, [2, 'b'])).toEqual([{ number: 2, label: 'b' }]);
  }));

it('a statement that is executed once leaves nothing prepared, as poolers need it', () =>
  withClient(async (client) => {
    const prepared = async () => (await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements')).rows;
    expect(await executeOnce(client, NUMBER, [1, 'a'])).toEqual([{ number: 1, label: 'a' }]);
    expect(await prepared()).toEqual([]);
    await execute(client, NUMBER, [1, 'a']);
    expect(await prepared()).toEqual([{ name: NUMBER.name }]);
  }));
