import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { BODY_MAX_BYTES } from '../../src/kernel/request-limits.js';
import { FREE_FORM_MAX_BYTES } from '../../src/kernel/json.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { memoryLog } from '../support/memory-log.js';
import { answerOf, expectBlamed, expectProblem } from '../support/problem.js';
import { hangUpAfter, requestText, sendRaw } from '../support/raw.js';
import { tracesOf } from '../support/traces.js';

const PROJECTS = '/v1/claim-projects';
const GOOD = { name: 'Berlin', clientReference: 'C-1', periodStart: '2026-01-01', periodEnd: '2026-12-31', status: 'draft', metadata: {} };
const { log, lines, requests } = memoryLog();
let app: TestApp;

beforeAll(async () => {
  app = await startApp({}, log);
});
afterAll(async () => {
  await app.close();
  expect(requests().filter(({ status }) => (status as number) >= 500)).toEqual([]);
  expect(lines().filter(({ level }) => (level as number) > 30)).toEqual([]);
});

/** A tenant whose rows must be, at the end, what they were at the beginning. */
async function setUp() {
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const { body } = await api.post(PROJECTS, { ...GOOD, name: 'There before' });
  const before = await tracesOf(app, organization.id);
  const untouched = async (): Promise<void> => expect(await tracesOf(app, organization.id)).toEqual(before);
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const sendText = (text: string) => api.send('POST', PROJECTS, text);
  return { api, key, headers, untouched, sendText, project: `${PROJECTS}/${(body as { id: string }).id}` };
}

describe('the fields of a body', () => {
  const anything = {
    null: null,
    number: 1,
    boolean: true,
    array: [],
    'array of text': ['x'],
    object: {},
    nested: { a: { b: [{}] } },
    text: 'no such thing',
  };
  const fitting: Record<string, (keyof typeof anything)[]> = {
    name: ['text'],
    clientReference: ['text', 'null'],
    metadata: ['object', 'nested'],
  };

  it.each(Object.keys(GOOD))('refuses every wrong type of %s by name, in a creation as in a change', async (field) => {
    const { api, project, untouched } = await setUp();
    for (const [type, value] of Object.entries(anything)) {
      if (fitting[field]?.includes(type as keyof typeof anything)) continue;
      expectBlamed(await api.post(PROJECTS, { ...GOOD, [field]: value }), `body ${field}`);
      expectBlamed(await api.patch(project, { [field]: value }), `body ${field}`);
    }
    await untouched();
  });

  it('names every bad field in one answer', async () => {
    const { api, untouched } = await setUp();
    const answer = await api.post(PROJECTS, {
      name: '',
      clientReference: 1,
      periodEnd: '2026-02-30',
      status: 'open',
      metadata: [],
      colour: 'red',
    });
    expectBlamed(
      answer,
      'body colour unknown_property',
      'body name too_short',
      'body clientReference wrong_type',
      'body periodStart required',
      'body periodEnd invalid_date',
      'body status not_allowed',
      'body metadata wrong_type',
    );
    await untouched();
  });

  it('answers no more than a hundred errors, however many there are', async () => {
    const { api } = await setUp();
    const answer = await api.post(PROJECTS, Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, index])));
    const { errors, detail } = expectProblem(answer, 'validation_failed');
    expect(errors).toHaveLength(100);
    expect(detail).toMatch(/and 5000 more\.$/);
    expect((await api.post(PROJECTS, { ['x'.repeat(500_000)]: 1 })).text.length).toBeLessThan(2000);
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '+002026-01-01',
    '-000001-01-01',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00:00Z',
    '2026-01-01 ',
    '2026-W01-1',
    '٢٠٢٦-٠١-٠١',
    '',
  ])('refuses “%s” as a day', async (day) => {
    const { api, untouched } = await setUp();
    expectBlamed(await api.post(PROJECTS, { ...GOOD, periodStart: day }), 'body periodStart invalid_date');
    await untouched();
  });

  it('refuses NUL characters and lone surrogates in every text', async () => {
    const { api, untouched } = await setUp();
    for (const bad of ['a\u0000b', '\ud800', 'x\udc00y', '\udc00\ud800']) {
      expectBlamed(
        await api.post(PROJECTS, { ...GOOD, name: bad, clientReference: bad }),
        'body name invalid_text',
        'body clientReference invalid_text',
      );
      for (const metadata of [{ a: bad }, { [bad]: 1 }, { a: [[{ b: bad }]] }])
        expectBlamed(await api.post(PROJECTS, { ...GOOD, metadata }), 'body metadata invalid_text');
    }
    await untouched();
  });

  it('counts lengths in code points', async () => {
    const { api } = await setUp();
    const answer = await api.post(PROJECTS, { ...GOOD, name: '👩'.repeat(200), clientReference: '👩'.repeat(200) });
    expect(answer.status).toBe(201);
    expectBlamed(
      await api.post(PROJECTS, { ...GOOD, name: '👩'.repeat(201), clientReference: 'x'.repeat(201) }),
      'body name too_long',
      'body clientReference too_long',
    );
    expectBlamed(await api.post(PROJECTS, { ...GOOD, name: '' }), 'body name too_short');
  });

  it('takes free-form objects of 32 KiB and 20 levels, and not a byte or a level more', async () => {
    const { api } = await setUp();
    const ofBytes = (bytes: number) => ({ a: 'é'.repeat(10), b: 'x'.repeat(bytes - Buffer.byteLength('{"a":"","b":""}') - 20) });
    const ofDepth = (depth: number): object => (depth === 1 ? {} : depth % 2 ? { a: ofDepth(depth - 1) } : [ofDepth(depth - 1)]);
    expect((await api.post(PROJECTS, { ...GOOD, name: 'bytes', metadata: ofBytes(FREE_FORM_MAX_BYTES - 1) })).status).toBe(201);
    expect((await api.post(PROJECTS, { ...GOOD, name: 'more bytes', metadata: ofBytes(FREE_FORM_MAX_BYTES) })).status).toBe(201);
    expectBlamed(await api.post(PROJECTS, { ...GOOD, metadata: ofBytes(FREE_FORM_MAX_BYTES + 1) }), 'body metadata too_large');
    expect((await api.post(PROJECTS, { ...GOOD, name: 'levels', metadata: { a: ofDepth(19) } })).status).toBe(201);
    expectBlamed(await api.post(PROJECTS, { ...GOOD, metadata: { a: { a: ofDepth(19) } } }), 'body metadata too_deep');
  });

  it('refuses numbers beyond the range of a double, and keeps the others as they are', async () => {
    const { sendText, untouched } = await setUp();
    for (const number of ['1e999', '-1e999', '[[1e400]]'])
      expectBlamed(
        await sendText(JSON.stringify({ ...GOOD, metadata: { a: 0 } }).replace('"a":0', `"a":${number}`)),
        'body metadata invalid_number',
      );
    await untouched();
    expect((await sendText(JSON.stringify({ ...GOOD, metadata: { a: 1e308, b: -0.1, c: 5e-324 } }))).body).toMatchObject({
      metadata: { a: 1e308, b: -0.1, c: 5e-324 },
    });
  });

  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
    '__defineGetter__',
    'then',
    'toJSON',
    '',
  ])('refuses “%s” as the name of a property', async (name) => {
    const { sendText, untouched } = await setUp();
    for (const value of ['null', '1', '"x"', '{}', '[]', '{"name":"x","prototype":{"admin":true}}']) {
      const { errors } = expectProblem(await sendText(`{"${name}":${value},${JSON.stringify(GOOD).slice(1)}`), 'validation_failed');
      expect(errors).toMatchObject([{ location: 'body', field: name, code: 'unknown_property' }]);
      expect(expectProblem(await sendText(`{"${name}":${value}}`), 'validation_failed').errors.length).toBeGreaterThan(1);
    }
    await untouched();
  });

  it('keeps such names in a free-form object as the data they are', async () => {
    const { sendText, api } = await setUp();
    const metadata = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"toJSON":"x"}';
    const made = await sendText(JSON.stringify(GOOD).replace('"metadata":{}', `"metadata":${metadata}`));
    expect(made.status).toBe(201);
    expect(made.text).toContain(metadata);
    expect((await api.get(`${PROJECTS}/${(made.body as { id: string }).id}`)).text).toContain(metadata);
    expect('polluted' in {}).toBe(false);
  });
});

describe('a body as a whole', () => {
  it.each([
    '[]',
    '"x"',
    'null',
    '1',
    'true',
    '{',
    '{"name":"x"',
    '{"name":"x"}}',
    '{name:1}',
    "{'name':1}",
    '{"a":1,}',
    ' ',
    '\ufeff{}',
    '{"a":NaN}',
    '{"a":"\u0001"}',
    '[[[[',
  ])('refuses %s as no JSON object', async (text) => {
    const { sendText, untouched } = await setUp();
    expectProblem(await sendText(text), 'malformed_json');
    await untouched();
  });

  it('refuses bytes that are not UTF-8', async () => {
    const { headers, untouched } = await setUp();
    for (const bytes of ['\xff', '\xc3', '\xed\xa0\x80', '\xc0\xaf']) {
      const body = Buffer.from(`{"name":"${bytes}"}`, 'latin1');
      const head = requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'Content-Length': String(body.length) });
      expectProblem(answerOf(await sendRaw(app.url, Buffer.concat([Buffer.from(head), body]))), 'malformed_json');
    }
    await untouched();
  });

  it('takes no body at all, and an empty one, for an empty object', async () => {
    const { api, headers, untouched } = await setUp();
    const required = ['body name required', 'body periodStart required', 'body periodEnd required'];
    expectBlamed(await api.send('POST', PROJECTS, undefined), ...required);
    expectBlamed(
      answerOf(
        await sendRaw(
          app.url,
          `${requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`,
        ),
      ),
      ...required,
    );
    await untouched();
  });

  it('takes a mebibyte, and not a byte more, with or without a stated length', async () => {
    const { headers, sendText } = await setUp();
    const padded = (bytes: number, name: string) => JSON.stringify({ ...GOOD, name }).padEnd(bytes, ' ');
    const chunked = (text: string) =>
      `${requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'Transfer-Encoding': 'chunked' })}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    expect((await sendText(padded(BODY_MAX_BYTES, 'stated'))).status).toBe(201);
    expect(answerOf(await sendRaw(app.url, chunked(padded(BODY_MAX_BYTES, 'chunked')))).status).toBe(201);
    expectProblem(await sendText(padded(BODY_MAX_BYTES + 1, 'too large')), 'body_too_large');
    expectProblem(answerOf(await sendRaw(app.url, chunked(padded(BODY_MAX_BYTES + 1, 'too large')))), 'body_too_large');
  });

  it('refuses a body of nothing but brackets without reading it as JSON', async () => {
    const { sendText, untouched } = await setUp();
    for (const bomb of ['['.repeat(100_000), `{"metadata":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, '{"a":'.repeat(150_000)]) {
      expect(expectProblem(await sendText(bomb), 'malformed_json').detail).toBe('The body is nested deeper than 100 levels.');
    }
    await untouched();
  });

  it.each([
    ['another media type', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['what is no media type', { 'Content-Type': 'json' }],
    ['no media type', { 'Content-Type': '' }],
    ['a media type that only begins the same', { 'Content-Type': 'application/jsonx' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin-1' }],
    ['a content encoding', { 'Content-Encoding': 'gzip' }],
  ])('refuses %s with 415', async (_what, wrong) => {
    const { headers, untouched } = await setUp();
    const sent = Object.fromEntries(
      Object.entries({ ...headers, 'Idempotency-Key': newId(), ...wrong }).filter(([, value]) => value !== ''),
    );
    expectProblem(answerOf(await sendRaw(app.url, requestText('POST', PROJECTS, sent, JSON.stringify(GOOD)))), 'unsupported_media_type');
    await untouched();
  });

  it('leaves nothing of a request that was cut off in its body', async () => {
    const { headers, untouched } = await setUp();
    const requestId = newId();
    const text = requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'X-Request-Id': requestId }, JSON.stringify(GOOD));
    await hangUpAfter(app.url, text.slice(0, -20));
    await eventually(() => expect(requests().filter((line) => line.requestId === requestId)).toMatchObject([{ status: 400 }]));
    await untouched();
  });
});

describe('a query', () => {
  let reader: Client;
  beforeAll(async () => {
    ({ api: reader } = await setUp());
  });

  const long = (count: number) => encodeURIComponent('👩'.repeat(count));
  it.each([
    ['page=0', 'page out_of_range'],
    ['page=-1', 'page wrong_type'],
    ['page=1.5', 'page wrong_type'],
    ['page=1e3', 'page wrong_type'],
    ['page=0x10', 'page wrong_type'],
    ['page=+1', 'page wrong_type'],
    ['page=9007199254740992', 'page wrong_type'],
    ['page=99999999999999999999999', 'page wrong_type'],
    ['page=NaN', 'page wrong_type'],
    ['page=', 'page wrong_type'],
    ['page', 'page wrong_type'],
    ['page=%D9%A1', 'page wrong_type'],
    ['page_size=0', 'page_size out_of_range'],
    ['page_size=201', 'page_size out_of_range'],
    ['page_size=', 'page_size wrong_type'],
    ['page=1&page=1', 'page repeated'],
    ['status=draft&status=draft', 'status repeated'],
    ['search=a&search=b', 'search repeated'],
    ['status=', 'status not_allowed'],
    ['status=DRAFT', 'status not_allowed'],
    ['status=draft,active', 'status not_allowed'],
    ['status[]=draft', 'status[] unknown_property'],
    ['search[a]=b', 'search[a] unknown_property'],
    ['search.a=b', 'search.a unknown_property'],
    ['status%5B%5D=draft', 'status[] unknown_property'],
    ['pageSize=1', 'pageSize unknown_property'],
    ['PAGE=1', 'PAGE unknown_property'],
    ['=1', ' unknown_property'],
    ['environment=live', 'environment unknown_property'],
    ['organizationId=x', 'organizationId unknown_property'],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineSetter__', 'then'].flatMap(
      (name) =>
        [
          [`${name}=1`, `${name} unknown_property`],
          [name, `${name} unknown_property`],
        ] as [string, string][],
    ),
    ['__proto__[page]=1', '__proto__[page] unknown_property'],
    ['%00=1', '\\0 invalid_text'],
    ['search=%00', 'search invalid_text'],
    ['search=%', 'search invalid_encoding'],
    ['search=%ff', 'search invalid_encoding'],
    ['search=%ED%A0%80', 'search invalid_encoding'],
    ['page=1&search=%zz', 'search invalid_encoding'],
    [`search=${long(201)}`, 'search too_long'],
  ])('with %s is refused by name', async (query, blamed) => {
    expectBlamed(await reader.get(`${PROJECTS}?${query}`), `query ${blamed}`);
  });

  it('may be odd as long as it is valid', async () => {
    for (const query of [
      '',
      '&&',
      'search=',
      'search',
      `search=${long(200)}`,
      'search=%25',
      'search=+',
      'page=01&page_size=0200',
      'page=%31',
      '%70age=1',
    ])
      expect((await reader.get(`${PROJECTS}?${query}`)).status, query).toBe(200);
    expect((await reader.get(`${PROJECTS}?page=${Number.MAX_SAFE_INTEGER}&page_size=200`)).body).toMatchObject({
      data: [],
      pagination: { page: Number.MAX_SAFE_INTEGER, total: 1 },
    });
  });

  it('is refused where an operation takes none, writes included', async () => {
    const { api, project, untouched } = await setUp();
    for (const [method, path] of [
      ['GET', '/v1'],
      ['GET', '/v1/organization'],
      ['GET', project],
      ['POST', PROJECTS],
      ['PATCH', project],
    ] as const) {
      expectBlamed(
        await api.send(method, `${path}?page=1`, method === 'GET' ? undefined : { ...GOOD, name: 'Other' }),
        'query page unknown_property',
      );
    }
    await untouched();
  });
});

describe('an id in a path', () => {
  const id = '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21';
  it.each([
    '1',
    'null',
    id.slice(1),
    `${id}0`,
    id.replaceAll('-', ''),
    `{${id}}`,
    `urn:uuid:${id}`,
    `${id}%20`,
    `${id}%0A`,
    `${id}%00`,
    `%00`,
    `a%2Fb`,
    `..%2F..%2Fetc`,
    `%2e%2e`,
    `${id}'--`,
    `${id};x`,
    '%25',
    '%C3%A9',
    id.replace('0', 'g'),
    'a'.repeat(3000),
    'é'.repeat(10).split('').map(encodeURIComponent).join(''),
  ])('is refused as %s', async (wrong) => {
    const { headers, untouched } = await setUp();
    for (const [method, body] of [
      ['GET', ''],
      ['PATCH', '{}'],
    ] as const) {
      const text = requestText(method, `${PROJECTS}/${wrong}`, { ...headers, ...(body && { 'Idempotency-Key': newId() }) }, body);
      expectBlamed(answerOf(await sendRaw(app.url, text)), 'path project_id invalid_uuid');
    }
    await untouched();
  });

  it('is taken in either case', async () => {
    const { api, project } = await setUp();
    expect((await api.get(`${PROJECTS}/${project.split('/').at(-1)!.toUpperCase()}`)).status).toBe(200);
  });
});
