import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, FREE_FORM_MAX_BYTES, FREE_FORM_MAX_DEPTH, freeFormProblem } from './json.js';

/** The same value with the names of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const [name, inner] of Object.entries(value).reverse())
    Object.defineProperty(copy, name, { value: reversed(inner), enumerable: true });
  return copy;
}

const codeOf = (value: unknown): string | undefined => freeFormProblem(value)?.code;
const nested = (levels: number): object => (levels === 1 ? {} : levels % 2 ? { a: nested(levels - 1) } : [nested(levels - 1)]);

describe('canonical JSON', () => {
  it('writes the example of RFC 8785 as the RFC does', () => {
    const sent =
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
      '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}';
    expect(canonicalJson(JSON.parse(sent))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts names by UTF-16 code units, as the RFC does', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(Object.keys(JSON.parse(text) as object).filter((name) => name !== '1')).toEqual([
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
    expect(text.indexOf('"1"')).toBeGreaterThan(text.indexOf('"\\r"'));
    expect(text.indexOf('"1"')).toBeLessThan(text.indexOf('"\u0080"'));
  });

  it('does not depend on the order of names, and parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('differs for values that differ', () => {
    const values = [null, 0, '', '0', false, [], {}, [0], { a: 0 }, { a: [0] }, { a: '0' }, { b: 0 }, [[0]], [0, 0], { a: 1 }];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
    const polluting = JSON.parse('{"__proto__":{"a":1}}') as object;
    expect(canonicalJson(polluting)).toBe('{"__proto__":{"a":1}}');
  });
});

describe('a free-form object', () => {
  it('may be any JSON object of modest size', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 10 }), fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), {
          maxKeys: 5,
        }),
        (value) => {
          fc.pre(!JSON.stringify(value).includes('\\u0000'));
          expect(freeFormProblem(value)).toBeUndefined();
        },
      ),
    );
  });

  it('must be an object', () => {
    for (const value of [null, [], [{}], 'x', 1, true]) expect(codeOf(value)).toBe('wrong_type');
  });

  it('is measured in bytes of UTF-8, names and punctuation included', () => {
    const ofBytes = (bytes: number) => ({ é: 'üü', pad: 'x'.repeat(bytes - Buffer.byteLength('{"é":"üü","pad":""}')) });
    expect(Buffer.byteLength(JSON.stringify(ofBytes(FREE_FORM_MAX_BYTES)))).toBe(FREE_FORM_MAX_BYTES);
    expect(codeOf(ofBytes(FREE_FORM_MAX_BYTES))).toBeUndefined();
    expect(codeOf(ofBytes(FREE_FORM_MAX_BYTES + 1))).toBe('too_large');
  });

  it('counts lists and objects as levels', () => {
    expect(codeOf({ a: nested(FREE_FORM_MAX_DEPTH - 1) })).toBeUndefined();
    expect(codeOf({ a: nested(FREE_FORM_MAX_DEPTH) })).toBe('too_deep');
  });

  it('must not contain, at any depth, what cannot be stored and returned', () => {
    for (const text of ['\u0000', '\ud800', '\udc00x']) {
      for (const value of [{ a: text }, { [text]: 1 }, { a: [{ b: [text] }] }, { a: [{ [text]: {} }] }])
        expect(codeOf(value)).toBe('invalid_text');
    }
    for (const number of [Infinity, -Infinity, NaN])
      for (const value of [{ a: number }, { a: [[number]] }]) expect(codeOf(value)).toBe('invalid_number');
  });
});
