import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Executor } from '../../src/api/call/executor.js';
import { poolOf } from '../../src/store/database/borrowed.js';
import { Database } from '../../src/store/database/database.js';
import { newId } from '../../src/kernel/ids.js';
import { aTenant } from '../support/builders.js';
import { keyedOf, named, startDocumentedApp } from '../support/documented-app.js';
import { sendCall, validCall } from '../support/law-call.js';
import { statementsIn, type Sent } from '../support/tenant-statements.js';

/** What left the process while one call was carried out: all that it has led to, however late. */
interface Effects {
  readonly connections: Set<object>;
  readonly written: string[];
  readonly sockets: Socket[];
}

const app = await startDocumentedApp();
const calls = new AsyncLocalStorage<Effects>();
const database = new URL(app.databaseUrl);
/** Those of the calls that were carried out, in their order. */
let carriedOut: Effects[] = [];

const noteSocket = (message: unknown): void => void calls.getStore()?.sockets.push((message as { socket: Socket }).socket);

/** The key of a tenant, by which texts are redacted, stays, whatever becomes of the call that needed it first. */
const STAYS = 'redaction_keys.make';
/** A repeated call learns by one of these that its key is taken. What it has written by then is rolled back. */
const CLAIM = /^(?:idempotency_keys\.claim|last:idempotency_keys)$/;
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|WITH[\s\S]*\b(?:INSERT|UPDATE|DELETE)\b)/i;

beforeAll(() => {
  const executor = app.app.get(Executor);
  const execute = executor.execute.bind(executor);
  executor.execute = (call) => {
    const effects: Effects = { connections: new Set(), written: [], sockets: [] };
    // A batch makes calls, each with a transaction of its own.
    if (!calls.getStore()) carriedOut.push(effects);
    return calls.run(effects, () => execute(call));
  };
  const watched = new WeakSet<object>();
  poolOf(app.app.get(Database).dataSource).on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const noted = (sent: Sent, ...rest: unknown[]): unknown => {
      for (const { name, text } of statementsIn(sent).filter((one) => WRITES.test(one.text) && one.name !== STAYS)) {
        calls.getStore()?.connections.add(client);
        calls.getStore()?.written.push(name ?? text);
      }
      return query(sent, ...rest);
    };
    Object.assign(client, { query: noted });
  });
  subscribe('net.client.socket', noteSocket);
});
afterAll(() => {
  unsubscribe('net.client.socket', noteSocket);
  return app.close();
});

describe.each(named(keyedOf(app)))('%s', (_id, operation) => {
  it('has no effect outside its transaction, or none before its key is known to be free', async () => {
    const { key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const once = { 'Idempotency-Key': newId() };
    carriedOut = [];
    for (const _time of ['first', 'again']) expect((await sendCall(app, call, key, once)).status).toBe(operation.status);
    const [first, again] = carriedOut;
    // One connection is one transaction: what is written on another one stays when the call is rolled back.
    const isAfterClaim = operation.effects === 'afterClaim';
    // The claim of the key is a transaction of its own where an effect comes between it and the answer.
    expect(first!.connections.size, first!.written.join()).toBeLessThanOrEqual(isAfterClaim ? 2 : 1);
    expect(first!.written.join()).toMatch(/idempotency_keys/);
    const undone = isAfterClaim ? [again!] : [first!, again!];
    expect(undone.map(({ sockets }) => sockets.filter(({ remotePort }) => String(remotePort) !== database.port))).toEqual(
      [[], []].slice(-undone.length),
    );
    expect(
      again!.written.filter((name) => !CLAIM.test(name) && !first!.written.includes(name)),
      'a repeated call writes nothing that the first did not',
    ).toEqual([]);
  });
});

it('what a handler does outside its transaction would be seen', async () => {
  const effects: Effects = { connections: new Set(), written: [], sockets: [] };
  await calls.run(effects, () => fetch(`${app.url}/health/live`));
  expect(effects.sockets.map(({ remotePort }) => String(remotePort))).toEqual([new URL(app.url).port]);
});
