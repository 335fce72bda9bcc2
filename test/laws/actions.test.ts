import { afterAll, describe, expect, it } from 'vitest';
import { isAction } from '../../src/api/operation/operation.js';
import { newId } from '../../src/kernel/ids.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { named, startDocumentedApp } from '../support/documented-app.js';
import { sendCall, validCall } from '../support/law-call.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const actions = app.operations.filter(isAction);
/** Those that answer with the record itself, as their record's GET does. */
const changing = actions.filter(({ takesIfMatch }) => takesIfMatch);

async function doneTo(operation: (typeof actions)[number], headers: Record<string, string> = {}) {
  const { key } = await aTenant(app);
  const call = await validCall(app, operation, key);
  const client = new Client(app.url, key);
  const path = call.path.replace(/\/[a-z_]+$/, '');
  const before = await client.get(path);
  const again = (more: Record<string, string> = {}) => sendCall(app, call, key, { 'Idempotency-Key': newId(), ...more });
  return { client, call, key, path, before, again, first: await again(headers) };
}

it('there are actions, with and without a body', () => {
  expect(new Set(actions.map(({ body }) => body === undefined))).toEqual(new Set([true, false]));
  expect(changing.length).toBeGreaterThan(1);
});

describe.each(named(actions))('the action %s', (_id, operation) => {
  it('answers 200 or 202, and with the address of no new record', async () => {
    const { first } = await doneTo(operation);
    expect([200, 202]).toContain(first.status);
    expect(first.headers.location).toBeUndefined();
  });

  it('is possible again with another key, or refused with 409 and the reason', async () => {
    const { again } = await doneTo(operation);
    const second = await again();
    if (second.status !== 409) expect(second.status).toBe(operation.status);
    else expect((second.body as { detail: string }).detail).not.toBe('');
  });
});

describe.each(named(actions.filter(({ body }) => !body)))('the action %s, which takes no body', (_id, operation) => {
  it('is done with an empty one, and refuses what is in one', async () => {
    const { key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const send = (body: object) => sendCall(app, { ...call, body }, key, { 'Idempotency-Key': newId() });
    const refused = await send({ reason: 'late' });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ location: 'body', field: 'reason', code: 'unknown_property' }] } });
    expect((await send({})).status).toBe(operation.status);
  });
});

describe.each(named(changing))('the action %s, which changes its record', (_id, operation) => {
  it('answers with the record as its GET does', async () => {
    const { client, path, first } = await doneTo(operation);
    expect((await client.get(path)).body).toEqual(first.body);
  });

  it('is refused with 412 if the record is another one than that of If-Match, and does nothing', async () => {
    const { client, path, again, first } = await doneTo(operation);
    expect(await again({ 'If-Match': '"other"' })).toMatchObject({ status: 412, body: { code: 'changed_meanwhile' } });
    expect((await client.get(path)).body).toEqual(first.body);
  });
});
