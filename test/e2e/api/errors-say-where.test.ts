import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';
import { answerOf, expectFieldErrors, expectProblem } from '../../support/problem.js';
import { requestText, sendRaw } from '../../support/raw.js';

const PROJECTS = '/v1/claim-projects';
const CATEGORIES = '/v1/expense-categories';
const GOOD = { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
let api: Client;
let key: string;
beforeAll(async () => {
  app = await startApp();
  ({ key } = await aTenant(app));
  api = new Client(app.url, key);
});
afterAll(() => app.close());

describe('a body that is not JSON', () => {
  it.each([
    ['{\n  "name": "x",\n  "periodStart" "2026-01-01"\n}', 'The body is not JSON at line 3, column 17: a colon is expected.'],
    ['{"name":"x",}', 'The body is not JSON at line 1, column 13: a name in double quotes is expected.'],
    ['{"name":', 'The body is not JSON at line 1, column 9: a value is expected.'],
    ['[]', 'The body must be a JSON object.'],
  ])('is refused with its place: %j', async (text, detail) => {
    expect(expectProblem(await api.send('POST', PROJECTS, text), 'malformed_json').detail).toBe(detail);
  });

  it('is refused with the place of the bytes that are not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{\n"name": "é'), Buffer.from([0xc3]), Buffer.from('"}')]);
    const head = requestText('POST', PROJECTS, {
      'X-API-Key': key,
      'Idempotency-Key': newId(),
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
    });
    const answer = answerOf(await sendRaw(app.url, Buffer.concat([Buffer.from(head), body])));
    expect(expectProblem(answer, 'malformed_json').detail).toBe('The body is not UTF-8 at line 2, column 11.');
  });
});

describe('a number that a double cannot hold exactly', () => {
  const send = (field: string, value: string, path = PROJECTS, good: object = GOOD) =>
    api.send('POST', path, JSON.stringify({ ...good, [field]: '?' }).replace('"?"', value));

  it.each(['12345678901234567890', '0.1000000000000000055511151231257827', '9007199254740993', '1e-999'])(
    'is refused with its path: %s',
    async (literal) => {
      expectFieldErrors(await send('metadata', `{"ledger":[{"balance":${literal}}]}`), 'body metadata.ledger[0].balance inexact_number');
      const category = { code: newId(), name: 'x' };
      expectFieldErrors(await send('sourceMapping', `{"own":${literal}}`, CATEGORIES, category), 'body sourceMapping.own inexact_number');
    },
  );

  it('is accepted as a string, and other numbers are stored as they are', async () => {
    const metadata = { exact: [0.1, 1.5, -7, 1e21, 9007199254740992], text: '12345678901234567890' };
    const answer = await api.post(PROJECTS, { ...GOOD, name: newId(), metadata });
    expect(answer.status).toBe(201);
    const { id } = answer.body as { id: string };
    expect((await api.get(`${PROJECTS}/${id}`)).body).toMatchObject({ metadata });
  });

  it('is refused in a PATCH as well, and changes nothing', async () => {
    const { body } = await api.post(PROJECTS, { ...GOOD, name: newId() });
    const path = `${PROJECTS}/${(body as { id: string }).id}`;
    expectFieldErrors(await api.send('PATCH', path, '{"metadata":{"a":12345678901234567890}}'), 'body metadata.a inexact_number');
    expect((await api.get(path)).body).toEqual(body);
  });
});

describe('a value within a field', () => {
  it.each([
    [{ a: { b: ['x', '\u0000'] } }, 'metadata.a.b[1] invalid_text'],
    [{ a: { 'b\u0000': 1 } }, 'metadata.a["b\\u0000"] invalid_text'],
    [{ a: [[['\ud800']]] }, 'metadata.a[0][0][0] invalid_text'],
    [nested(21), 'metadata too_deep'],
    [{ a: 'x'.repeat(33 * 1024) }, 'metadata too_large'],
  ])('of a free-form object is named by its path', async (metadata, expected) => {
    const { errors } = expectProblem(await api.post(PROJECTS, { ...GOOD, metadata }), 'validation_failed');
    expect(errors.map(({ field, code }) => `${field} ${code}`)).toEqual([expected]);
  });

  it('of a list is named by its index', async () => {
    const endpoint = { name: 'x', targetUrl: 'https://hooks.example.com/x' };
    const kinds = ['claim_project.created', 'claim_project.updated'];
    for (const [subscribedEvents, expected] of [
      [[...kinds, 'claim_project.exploded'], 'body subscribedEvents[2] not_allowed'],
      [[...kinds, kinds[0]], 'body subscribedEvents[2] repeated'],
      [[kinds[0], 7], 'body subscribedEvents[1] wrong_type'],
      [[], 'body subscribedEvents too_short'],
      ['x', 'body subscribedEvents wrong_type'],
    ] as const)
      expectFieldErrors(await api.post('/v1/webhooks', { ...endpoint, subscribedEvents }), expected);
  });
});

describe('a record that already exists', () => {
  const conflictOf = async (answer: Promise<Answer>) =>
    (expectProblem(await answer, 'already_exists') as { conflictingId?: string }).conflictingId;
  const idOf = async (answer: Promise<Answer>) => ((await answer).body as { id: string }).id;

  it('is named by its id, for POST and PATCH, projects and categories', async () => {
    const name = newId();
    const id = await idOf(api.post(PROJECTS, { ...GOOD, name }));
    expect(await conflictOf(api.post(PROJECTS, { ...GOOD, name: name.toUpperCase() }))).toBe(id);
    const other = await idOf(api.post(PROJECTS, { ...GOOD, name: newId() }));
    expect(await conflictOf(api.patch(`${PROJECTS}/${other}`, { name }))).toBe(id);
    const category = await idOf(api.post(CATEGORIES, { code: name, name, projectId: id }));
    expect(await conflictOf(api.post(CATEGORIES, { code: name, name, projectId: id }))).toBe(category);
    const free = await idOf(api.post(CATEGORIES, { code: name, name }));
    expect(await conflictOf(api.patch(`${CATEGORIES}/${free}`, { projectId: id }))).toBe(category);
  });

  it('is never one of another organization or environment', async () => {
    const name = newId();
    const body = { ...GOOD, name };
    const { key: test, organization } = await aTenant(app);
    const { key: live } = await aKey(app, organization.id, { environment: 'live' });
    const ids = [];
    for (const credential of [test, live, key]) {
      const client = new Client(app.url, credential);
      const id = await idOf(client.post(PROJECTS, body));
      expect(await conflictOf(client.post(PROJECTS, body))).toBe(id);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('is found by many refused calls at once, with fewer connections than calls', async () => {
    const name = newId();
    const id = await idOf(api.post(PROJECTS, { ...GOOD, name }));
    const answers = await Promise.all(Array.from({ length: 40 }, () => conflictOf(api.post(PROJECTS, { ...GOOD, name }))));
    expect(new Set(answers)).toEqual(new Set([id]));
  });
});

describe('two Idempotency-Key headers', () => {
  it.each([
    ['a', 'b'],
    ['a', 'a'],
    ['a', ''],
  ])('%s and %s are refused, and nothing is done', async (first, second) => {
    const body = JSON.stringify({ ...GOOD, name: newId() });
    const head = requestText('POST', PROJECTS, {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      'Idempotency-Key': first,
      'idempotency-key': second,
      'Content-Length': String(body.length),
    });
    const { errors, detail } = expectProblem(answerOf(await sendRaw(app.url, head + body)), 'idempotency_key_invalid');
    expect(errors).toEqual([{ location: 'header', field: 'Idempotency-Key', code: 'repeated', message: 'must be sent once' }]);
    expect(detail).toBe('The header Idempotency-Key was sent more than once.');
    expect((await api.get(`${PROJECTS}?search=${(JSON.parse(body) as { name: string }).name}`)).body).toMatchObject({ data: [] });
  });

  it('are not seen in one key with commas', async () => {
    expect((await api.post(PROJECTS, { ...GOOD, name: newId() }, { 'Idempotency-Key': `${newId()}, b,c` })).status).toBe(201);
  });
});

function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}
