import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './json.js';

it('writes the example of RFC 8785 as the RFC does', () => {
  const sent =
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}';
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

/** The same value with the names of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const [name, inner] of Object.entries(value).reverse())
    Object.defineProperty(copy, name, { value: reversed(inner), enumerable: true });
  return copy;
}

it('is the same whatever the order of names, and means the same as what it was made of', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('tells apart what differs', () => {
  const values = [null, 0, '', '0', false, [], {}, [0], { a: 0 }, { a: [0] }, { a: '0' }, { b: 0 }, [[0]], [0, 0], { a: 1 }];
  expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  const polluting = JSON.parse('{"__proto__":{"a":1}}') as object;
  expect(canonicalJson(polluting)).toBe('{"__proto__":{"a":1}}');
});
