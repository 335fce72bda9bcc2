import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { answerOf, expectAnswered } from '../../support/problem.js';
import { requestText, sendRaw } from '../../support/raw.js';
import { countRows } from '../../support/traces.js';

const PROJECTS = '/v1/claim-projects';
const RUNS = { numRuns: 150 };

/** Text of any UTF-16 code units, including lone surrogates. */
const text = fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 20 });
const awkward = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  '\u0000',
  '\ud800',
  'page',
  'search',
  'status',
  'name',
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.integer(),
    text,
    awkward,
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  record: fc.dictionary(fc.oneof(text, awkward), tie('value'), { maxKeys: 5 }),
}));
const day = fc.oneof(
  fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }).map((date) => date.toISOString().slice(0, 10)),
  text,
);
const project = fc.record(
  {
    name: fc.oneof(fc.string({ unit: 'binary', maxLength: 210 }), json.value),
    clientReference: fc.oneof(fc.string({ unit: 'binary', maxLength: 210 }), fc.constant(null), json.value),
    periodStart: day,
    periodEnd: day,
    status: fc.oneof(fc.constantFrom('draft', 'active', 'archived'), json.value),
    metadata: fc.oneof(json.record, json.value),
  },
  { requiredKeys: [] },
);

/** A body that is likely to be valid. */
const plausible = fc.record({
  name: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
  periodStart: fc.constant('2026-01-01'),
  periodEnd: fc.constant('2026-12-31'),
  metadata: json.record,
});

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('any JSON body is either accepted, or refused without writing anything', async () => {
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const { body: made } = await api.post(PROJECTS, { name: 'To be changed', periodStart: '2026-01-01', periodEnd: '2026-01-01' });
  const before = await countRows(app, organization.id);
  const done = { created: 0, written: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(plausible, project, json.value), fc.boolean(), async (value, creates) => {
      const body = JSON.stringify(value);
      const answer = creates
        ? await api.send('POST', PROJECTS, body)
        : await api.send('PATCH', `${PROJECTS}/${(made as { id: string }).id}`, body);
      expectAnswered(answer);
      if (answer.status === 201) done.created += 1;
      if (answer.status >= 300) return;
      done.written += 1;
      const sent = JSON.parse(body) as { metadata?: unknown };
      if (sent.metadata !== undefined) expect(JSON.stringify((answer.body as typeof sent).metadata)).toBe(JSON.stringify(sent.metadata));
    }),
    RUNS,
  );
  const after = await countRows(app, organization.id);
  expect(after.projects - before.projects).toBe(done.created);
  expect(after.keys - before.keys).toBe(done.written);
  expect(after.events - before.events).toBe(after.audit - before.audit);
  expect(done.created).toBeGreaterThan(0);
});

it('any query is accepted, or refused with a problem', async () => {
  const { key } = await aTenant(app);
  const part = fc.oneof(
    fc.webQueryParameters(),
    awkward.map((name) => encodeURIComponent(name.toWellFormed())),
    fc.string({ maxLength: 10 }),
    fc.constantFrom('page=1', 'page_size=7', 'search=%', 'status=draft', 'search=_%25'),
  );
  const query = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('&').replace(/[\r\n ]/g, '+'));
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      expectAnswered(answerOf(await sendRaw(app.url, requestText('GET', `${PROJECTS}?${given}`, { 'X-API-Key': key }))));
    }),
    RUNS,
  );
});

it('any path is accepted, or refused with a problem', async () => {
  const { key } = await aTenant(app);
  const path = fc
    .array(
      fc.oneof(
        fc.webSegment(),
        fc.constantFrom('v1', 'claim-projects', '..', '%2e%2e', '%00', '%ff', '%', ';', 'problems', 'docs', 'docs/..', 'docs/%2e%2e'),
        fc.string({ maxLength: 10 }),
      ),
      { maxLength: 6 },
    )
    .map((parts) => `/${parts.join('/').replace(/[\r\n ?#]/g, '-')}`);
  await fc.assert(
    fc.asyncProperty(path, async (given) => {
      const answer = await sendRaw(app.url, requestText('GET', given, { 'X-API-Key': key }));
      // HTML pages are not JSON. It is enough that they are served.
      if (!answer.startsWith('HTTP/1.1 200')) expectAnswered(answerOf(answer));
    }),
    RUNS,
  );
});

it('any header is accepted, or refused with a problem', async () => {
  const { key } = await aTenant(app);
  const headers = fc.record(
    {
      'Idempotency-Key': fc.constant(newId()),
      Accept: fc.constant('*/*'),
      'X-Request-Id': fc.constant('mine'),
      'X-API-Key': fc.constant(key),
      Authorization: fc.constant(`Bearer ${key}`),
      'Content-Type': fc.constant('application/json'),
    },
    { requiredKeys: [] },
  );
  // Any byte except CR and LF, which end a header.
  const bytes = fc.string({
    unit: fc
      .nat({ max: 255 })
      .filter((byte) => byte !== 10 && byte !== 13)
      .map((byte) => String.fromCharCode(byte)),
    maxLength: 40,
  });
  const name = fc.constantFrom(
    'Idempotency-Key',
    'Accept',
    'X-Request-Id',
    'X-API-Key',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'X-Forwarded-For',
    'Expect',
    'Host',
  );
  await fc.assert(
    fc.asyncProperty(headers, name, bytes, fc.constantFrom('GET', 'POST'), async (given, hostile, value, method) => {
      const body = method === 'POST' ? JSON.stringify({ name: newId(), periodStart: '2026-01-01', periodEnd: '2026-01-01' }) : '';
      const sent = Buffer.from(requestText(method, PROJECTS, { ...given, [hostile]: value }, body), 'latin1');
      expectAnswered(answerOf((await sendRaw(app.url, sent)).replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '')));
    }),
    RUNS,
  );
});
