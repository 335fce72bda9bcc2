import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FREE_FORM_MAX_BYTES, FREE_FORM_MAX_DEPTH, freeFormProblem } from './json.js';

const codeOf = (value: unknown): string | undefined => freeFormProblem(value)?.code;
const nested = (levels: number): object => (levels === 1 ? {} : levels % 2 ? { a: nested(levels - 1) } : [nested(levels - 1)]);

it('takes any JSON object of modest size', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 10 }), fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), { maxKeys: 5 }),
      (value) => {
        fc.pre(!JSON.stringify(value).includes('\\u0000'));
        expect(freeFormProblem(value)).toBeUndefined();
      },
    ),
  );
});

it('takes nothing that is no object', () => {
  for (const value of [null, [], [{}], 'x', 1, true]) expect(codeOf(value)).toBe('wrong_type');
});

it('measures the size in bytes of UTF-8, names and punctuation included', () => {
  const ofBytes = (bytes: number) => ({ é: 'üü', pad: 'x'.repeat(bytes - Buffer.byteLength('{"é":"üü","pad":""}')) });
  expect(Buffer.byteLength(JSON.stringify(ofBytes(FREE_FORM_MAX_BYTES)))).toBe(FREE_FORM_MAX_BYTES);
  expect(codeOf(ofBytes(FREE_FORM_MAX_BYTES))).toBeUndefined();
  expect(codeOf(ofBytes(FREE_FORM_MAX_BYTES + 1))).toBe('too_large');
});

it('counts lists and objects as levels', () => {
  expect(codeOf({ a: nested(FREE_FORM_MAX_DEPTH - 1) })).toBeUndefined();
  expect(codeOf({ a: nested(FREE_FORM_MAX_DEPTH) })).toBe('too_deep');
});

it('refuses, at any place, what cannot be stored and given back', () => {
  for (const text of ['\u0000', '\ud800', '\udc00x']) {
    for (const value of [{ a: text }, { [text]: 1 }, { a: [{ b: [text] }] }, { a: [{ [text]: {} }] }])
      expect(codeOf(value)).toBe('invalid_text');
  }
  for (const number of [Infinity, -Infinity, NaN])
    for (const value of [{ a: number }, { a: [[number]] }]) expect(codeOf(value)).toBe('invalid_number');
});
