import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';

const PATH = '/v1/claim-projects';
const MAX_BYTES = 32 * 1024;
const MAX_DEPTH = 20;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Sends metadata as text, because some of it cannot be written as a literal. */
async function open() {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const create = (metadata: string) =>
    api.send('POST', PATH, `{"name":"Berlin office","periodStart":"2026-01-01","periodEnd":"2026-12-31","metadata":${metadata}}`);
  const patch = (id: string, metadata: string) => api.send('PATCH', `${PATH}/${id}`, `{"metadata":${metadata}}`);
  return { api, create, patch };
}

/** The text of the metadata in an answer. */
const metadataIn = (text: string): string => /"metadata":(.*),"createdAt"/s.exec(text)![1]!;
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const refusal = (code: string, path = '') => ({
  status: 400,
  body: { code: 'validation_failed', errors: [{ location: 'body', field: `metadata${path}`, code }] },
});

describe('the metadata of a project', () => {
  it.each([
    ['the order of its keys', '{"b":1,"a":2,"nested":{"z":[3,1,2],"y":null}}'],
    ['keys that look like numbers, in ascending order as JSON.parse has them', '{"1":"one","2":"two","a":0}'],
    ['keys that objects inherit', '{"constructor":1,"toString":"x","hasOwnProperty":false,"prototype":{}}'],
    ['an empty key', '{"":""}'],
    ['every kind of value', '{"text":"ü 🧾","number":-1.5,"zero":0,"yes":true,"no":false,"none":null,"list":[[],[{}]],"object":{}}'],
    ['keys that differ only in case or in normalisation', '{"a":1,"A":2,"\u00e9":3,"e\u0301":4}'],
  ])('is returned with %s', async (_what, text) => {
    const { create, patch, api } = await open();
    const made = await create(text);
    expect(made.status, made.text).toBe(201);
    const { id } = made.body as { id: string };
    expect(metadataIn(made.text)).toBe(text);
    expect(metadataIn((await api.get(`${PATH}/${id}`)).text)).toBe(text);
    expect(metadataIn((await patch(id, `{"other":1}`)).text)).toBe('{"other":1}');
    expect(metadataIn((await patch(id, text)).text)).toBe(text);
  });

  it('has at most 32 KiB, in bytes of its JSON', async () => {
    const { create, patch, api } = await open();
    const around = Buffer.byteLength('{"a":""}');
    const largest = `{"a":"${'x'.repeat(MAX_BYTES - around)}"}`;
    const made = await create(largest);
    expect(made.status).toBe(201);
    const { id } = made.body as { id: string };
    expect(metadataIn((await api.get(`${PATH}/${id}`)).text)).toBe(largest);
    expect(await patch(id, `{"a":"${'x'.repeat(MAX_BYTES - around + 1)}"}`)).toMatchObject(refusal('too_large'));
    expect(await patch(id, `{"a":"${'ü'.repeat(MAX_BYTES / 2)}"}`)).toMatchObject(refusal('too_large'));
    expect((await patch(id, `{"a": ${' '.repeat(MAX_BYTES)} "x"}`)).status, 'white space does not count').toBe(200);
  });

  it('has at most 20 levels, including itself', async () => {
    const { create, patch } = await open();
    const made = await create(nested(MAX_DEPTH));
    expect(made.status, made.text).toBe(201);
    const { id } = made.body as { id: string };
    expect(await patch(id, nested(MAX_DEPTH + 1))).toMatchObject(refusal('too_deep'));
    expect(await patch(id, `{"a":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}}`)).toMatchObject(refusal('too_deep'));
    expect((await patch(id, nested(5000))).status).toBe(400);
    expect((await patch(id, `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).status).toBe(400);
  });

  it('must be an object', async () => {
    const { create } = await open();
    for (const text of ['null', '[]', '"text"', '1', 'true']) expect(await create(text), text).toMatchObject(refusal('wrong_type'));
  });

  it('must not contain NUL or lone surrogates, in values or keys', async () => {
    const { create } = await open();
    for (const [text, path] of [
      ['{"a":"\\u0000"}', '.a'],
      ['{"\\u0000":1}', '["\\u0000"]'],
      ['{"a":"\\ud800"}', '.a'],
      ['{"\\udfff":1}', '["\\udfff"]'],
      ['{"a":[{"b":"x\\u0000"}]}', '.a[0].b'],
      ['{"a":{"\\ud83e ":1}}', '.a["\\ud83e "]'],
    ] as const) {
      expect(await create(text), text).toMatchObject(refusal('invalid_text', path));
    }
  });

  it('must not contain a number that a double cannot hold', async () => {
    const { create } = await open();
    for (const [text, path] of [
      ['{"a":1e999}', '.a'],
      ['{"a":[-1e999]}', '.a[0]'],
    ] as const)
      expect(await create(text), text).toMatchObject(refusal('invalid_number', path));
  });

  it('stores a key __proto__ as data, without prototype pollution', async () => {
    const { create, patch, api } = await open();
    const text = '{"__proto__":{"polluted":true},"a":{"__proto__":{"isAdmin":true}}}';
    const made = await create(text);
    expect(made.status, made.text).toBe(201);
    const { id } = made.body as { id: string };
    expect(metadataIn(made.text)).toBe(text);
    expect(metadataIn((await api.get(`${PATH}/${id}`)).text)).toBe(text);
    expect((await patch(id, text)).status).toBe(200);
    expect([{}, []].some((object) => 'polluted' in object || 'isAdmin' in object)).toBe(false);
    expect(metadataIn((await patch(id, '{}')).text)).toBe('{}');
  });

  it('changes if only its key __proto__ changes', async () => {
    const { create, patch } = await open();
    const { id } = (await create('{"__proto__":1}')).body as { id: string };
    expect(metadataIn((await patch(id, '{"__proto__":2}')).text)).toBe('{"__proto__":2}');
  });
});
