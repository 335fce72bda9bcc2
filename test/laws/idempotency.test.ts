import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { aKey, aTenant } from '../support/builders.js';
import { sendCall, callForMissing, otherBody, type RecordIds, validCall, type Call } from '../support/law-call.js';
import { everyRowOf, keysOf } from '../support/law-database.js';
import type { Body } from '../support/law-document.js';
import { keyedOf, named, startDocumentedApp } from '../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const keyed = keyedOf(app);
const INVALID = [
  ['256 characters', 'k'.repeat(256)],
  ['a letter beyond ASCII', 'clé'],
  ['a tab', 'a\tb'],
] as const;
const VALID = [
  ['one character', '0'],
  ['255 characters', 'k'.repeat(255)],
  [
    'every printable ASCII character',
    Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index))
      .join('')
      .trim(),
  ],
] as const;

/** Makes a call with an Idempotency-Key that succeeds. */
async function doneCall(operation: (typeof keyed)[number]) {
  const { organization, key } = await aTenant(app);
  const call = await validCall(app, operation, key);
  const again = { 'Idempotency-Key': newId() };
  const first = await sendCall(app, call, key, again);
  expect(first.status).toBe(operation.status);
  return { organizationId: organization.id, key, call, again, first };
}

it('covers every POST and PATCH', () => {
  expect(keyed.map(({ id }) => id)).toEqual(app.operations.filter(({ method }) => ['POST', 'PATCH'].includes(method)).map(({ id }) => id));
});

describe.each(named(keyed))('%s', (_id, operation) => {
  it('returns 400 without an Idempotency-Key', async () => {
    const { key } = await aTenant(app);
    const answer = await sendCall(app, callForMissing(app, operation), key, { 'Idempotency-Key': '' });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'idempotency_key_missing', errors: [{ location: 'header', field: 'Idempotency-Key' }] },
    });
  });

  it.each(INVALID)('returns 400 to an Idempotency-Key of %s', async (_what, text) => {
    const { key } = await aTenant(app);
    const answer = await sendCall(app, callForMissing(app, operation), key, { 'Idempotency-Key': text });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'idempotency_key_invalid', errors: [{ location: 'header', field: 'Idempotency-Key' }] },
    });
  });

  it.each(VALID)('accepts an Idempotency-Key of %s, and replays with it', async (_what, text) => {
    const { key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const [first, second] = [
      await sendCall(app, call, key, { 'Idempotency-Key': text }),
      await sendCall(app, call, key, { 'Idempotency-Key': text }),
    ];
    expect([first.status, second.status]).toEqual([operation.status, operation.status]);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('replays the first answer byte for byte, marks it as a replay, and changes nothing', async () => {
    const { organizationId, key, call, again, first } = await doneCall(operation);
    const before = await everyRowOf(app, organizationId);
    const replay = await sendCall(app, call, key, again);
    expect([replay.status, replay.text]).toEqual([first.status, first.text]);
    expect(replay.headers['content-type']).toBe(first.headers['content-type']);
    expect([first, replay].map(({ headers }) => headers['idempotent-replayed'] as unknown)).toEqual([undefined, 'true']);
    expect(replay.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await everyRowOf(app, organizationId)).toEqual(before);
  });

  it('replays for the same body with its keys in another order and other white space', async () => {
    const { key, call, again, first } = await doneCall(operation);
    const body = ` ${JSON.stringify(backwards(call.body ?? {}), null, '\t')}\r\n`;
    const replay = await sendCall(app, { ...call, body }, key, again);
    expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });

  it('returns 409 to the same key with another body, and changes nothing', async () => {
    const { organizationId, key, call, again } = await doneCall(operation);
    const before = await everyRowOf(app, organizationId);
    const answer = await sendCall(app, { ...call, body: otherBody(app, call) }, key, again);
    // An action without a body has no other one: it refuses what is in it.
    expect(answer).toMatchObject(operation.body ? CONFLICT : { status: 400, body: { code: 'validation_failed' } });
    expect(await everyRowOf(app, organizationId)).toEqual(before);
  });

  it('uses its key up for all operations: each is answered with 409, and changes nothing', async () => {
    const { organizationId, key, again } = await doneCall(operation);
    const calls: Call[] = [];
    const made: RecordIds = new Map();
    for (const other of keyed) {
      const call = await validCall(app, other, key, made);
      // For the same operation the second call has another record in its path, or another body for the same collection.
      calls.push(operation === other && operation.pathIds.length === 0 ? { ...call, body: otherBody(app, call) } : call);
    }
    const before = await everyRowOf(app, organizationId);
    for (const call of calls) expect(await sendCall(app, call, key, again), call.operation.id).toMatchObject(CONFLICT);
    expect(await everyRowOf(app, organizationId)).toEqual(before);
  });

  it('separates the keys of environments and organizations', async () => {
    const { organizationId, again } = await doneCall(operation);
    const live = await aKey(app, organizationId, { environment: 'live' });
    const { key: stranger } = await aTenant(app);
    for (const key of operation.environment ? [stranger] : [live.key, stranger]) {
      const answer = await sendCall(app, await validCall(app, operation, key), key, again);
      expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([operation.status, undefined]);
    }
  });

  it('replays for another credential of the same organization and environment', async () => {
    const { organizationId, call, again, first } = await doneCall(operation);
    const second = await aKey(app, organizationId);
    const replay = await sendCall(app, call, second.key, again);
    expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });

  it('does not store failed calls, so the corrected call may use the same key', async () => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const again = { 'Idempotency-Key': newId() };
    expect((await sendCall(app, { ...call, body: { ...(call.body as Body), no_such_property: 1 } }, key, again)).status).toBe(400);
    expect(await keysOf(app, organization.id)).not.toContain(again['Idempotency-Key']);
    const answer = await sendCall(app, call, key, again);
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([operation.status, undefined]);
  });

  it('executes once if several calls with one key arrive at the same time', async () => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const again = { 'Idempotency-Key': newId() };
    const before = await everyRowOf(app, organization.id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendCall(app, call, key, again)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(7);
    const after = await everyRowOf(app, organization.id);
    expect(after.audit_entries).toHaveLength(before.audit_entries!.length + 1);
  });
});

const CONFLICT = { status: 409, body: { code: 'idempotency_conflict', retry: 'never' } };

/** The same JSON with the keys of every object in the opposite order. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, backwards(inner)]),
  );
}
