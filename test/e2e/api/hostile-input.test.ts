import { describe, expect, it } from 'vitest';
import { FREE_FORM_MAX_BYTES } from '../../../src/kernel/json.js';
import { expectFieldErrors, expectProblem } from '../../support/problem.js';
import { GOOD, PROJECTS, useAppWithoutErrors } from '../../support/hostile-input.js';

const { setUp } = useAppWithoutErrors();

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
  const valid: Record<string, (keyof typeof anything)[]> = {
    name: ['text'],
    clientReference: ['text', 'null'],
    metadata: ['object', 'nested'],
  };

  it.each(Object.keys(GOOD))('refuses every wrong type of %s by name, in POST and PATCH', async (field) => {
    const { api, project, untouched } = await setUp();
    for (const [type, value] of Object.entries(anything)) {
      if (valid[field]?.includes(type as keyof typeof anything)) continue;
      expectFieldErrors(await api.post(PROJECTS, { ...GOOD, [field]: value }), `body ${field}`);
      expectFieldErrors(await api.patch(project, { [field]: value }), `body ${field}`);
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
    expectFieldErrors(
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

  it('returns at most a hundred errors', async () => {
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
  ])('refuses “%s” as a date', async (day) => {
    const { api, untouched } = await setUp();
    expectFieldErrors(await api.post(PROJECTS, { ...GOOD, periodStart: day }), 'body periodStart invalid_date');
    await untouched();
  });

  it('refuses NUL characters and lone surrogates in every text', async () => {
    const { api, untouched } = await setUp();
    for (const bad of ['a\u0000b', '\ud800', 'x\udc00y', '\udc00\ud800']) {
      expectFieldErrors(
        await api.post(PROJECTS, { ...GOOD, name: bad, clientReference: bad }),
        'body name invalid_text',
        'body clientReference invalid_text',
      );
      for (const [metadata, path] of [
        [{ a: bad }, '.a'],
        [{ [bad]: 1 }, `[${JSON.stringify(bad)}]`],
        [{ a: [[{ b: bad }]] }, '.a[0][0].b'],
      ] as const)
        expectFieldErrors(await api.post(PROJECTS, { ...GOOD, metadata }), `body metadata${path} invalid_text`);
    }
    await untouched();
  });

  it('counts lengths in code points', async () => {
    const { api } = await setUp();
    const answer = await api.post(PROJECTS, { ...GOOD, name: '👩'.repeat(200), clientReference: '👩'.repeat(200) });
    expect(answer.status).toBe(201);
    expectFieldErrors(
      await api.post(PROJECTS, { ...GOOD, name: '👩'.repeat(201), clientReference: 'x'.repeat(201) }),
      'body name too_long',
      'body clientReference too_long',
    );
    expectFieldErrors(await api.post(PROJECTS, { ...GOOD, name: '' }), 'body name too_short');
  });

  it('accepts free-form objects of up to 32 KiB and 20 levels', async () => {
    const { api } = await setUp();
    const ofBytes = (bytes: number) => ({ a: 'é'.repeat(10), b: 'x'.repeat(bytes - Buffer.byteLength('{"a":"","b":""}') - 20) });
    const ofDepth = (depth: number): object => (depth === 1 ? {} : depth % 2 ? { a: ofDepth(depth - 1) } : [ofDepth(depth - 1)]);
    expect((await api.post(PROJECTS, { ...GOOD, name: 'bytes', metadata: ofBytes(FREE_FORM_MAX_BYTES - 1) })).status).toBe(201);
    expect((await api.post(PROJECTS, { ...GOOD, name: 'more bytes', metadata: ofBytes(FREE_FORM_MAX_BYTES) })).status).toBe(201);
    expectFieldErrors(await api.post(PROJECTS, { ...GOOD, metadata: ofBytes(FREE_FORM_MAX_BYTES + 1) }), 'body metadata too_large');
    expect((await api.post(PROJECTS, { ...GOOD, name: 'levels', metadata: { a: ofDepth(19) } })).status).toBe(201);
    expectFieldErrors(await api.post(PROJECTS, { ...GOOD, metadata: { a: { a: ofDepth(19) } } }), 'body metadata too_deep');
  });

  it('refuses numbers outside the range of a double, and returns others unchanged', async () => {
    const { sendText, untouched } = await setUp();
    for (const [number, path] of [
      ['1e999', ''],
      ['-1e999', ''],
      ['[[1e400]]', '[0][0]'],
    ])
      expectFieldErrors(
        await sendText(JSON.stringify({ ...GOOD, metadata: { a: 0 } }).replace('"a":0', `"a":${number}`)),
        `body metadata.a${path} invalid_number`,
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

  it('stores such names in a free-form object as plain data', async () => {
    const { sendText, api } = await setUp();
    const metadata = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"toJSON":"x"}';
    const made = await sendText(JSON.stringify(GOOD).replace('"metadata":{}', `"metadata":${metadata}`));
    expect(made.status).toBe(201);
    expect(made.text).toContain(metadata);
    expect((await api.get(`${PROJECTS}/${(made.body as { id: string }).id}`)).text).toContain(metadata);
    expect('polluted' in {}).toBe(false);
  });
});
