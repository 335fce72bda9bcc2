import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorIn, inexactNumbers, placeIn } from './json-text.js';

const placeOf = (text: string): string | undefined => {
  const error = errorIn(text);
  return error && `${placeIn(text, error.index)}: ${error.message}`;
};

describe('the place where a text stops being JSON', () => {
  it.each([
    ['', 'line 1, column 1: a value'],
    ['{', 'line 1, column 2: a name in double quotes'],
    ['{"a":1,}', 'line 1, column 8: a name in double quotes'],
    ['{"a" 1}', 'line 1, column 6: a colon'],
    ['{"a":}', 'line 1, column 6: a value'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: a comma or }'],
    ['[1 2]', 'line 1, column 4: a comma or ]'],
    ['{"a":"x', 'line 1, column 8: a valid character or the end of the string'],
    ['{"a":"x\ny"}', 'line 1, column 8: a valid character or the end of the string'],
    ['{"👩":"\\x"}', 'line 1, column 7: a valid character or the end of the string'],
    ['{"a":01}', 'line 1, column 7: a comma or }'],
    ['{"a":NaN}', 'line 1, column 6: a value'],
    ['{} {}', 'line 1, column 4: the end of the body'],
    ['\ufeff{}', 'line 1, column 1: a value'],
  ])('%j is at %s', (text, place) => {
    expect(placeOf(text)).toBe(place);
  });

  it('exists for exactly the texts that JSON.parse refuses', () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', ',', '}', ']', '0', 'e', '.', '-', ' ', '\n', '\u0001', 'nul'))
      .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1));
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(errorIn(text) === undefined).toBe(isJson);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a number that a double cannot hold', () => {
  it.each([
    '12345678901234567890',
    '-12345678901234567890',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    '1.23456789012345678',
    '100000000000000000000001',
    '1e-400',
    '12345678901234567890e5',
    '0.30000000000000004440892098500626',
  ])('%s is found', (literal) => {
    expect(inexactNumbers(`{"a":${literal}}`)).toEqual(['a']);
  });

  it.each([
    '0',
    '-0',
    '0.0',
    '1',
    '-1.50',
    '1e3',
    '1E+3',
    '15e-1',
    '100000000000000000000',
    '1e21',
    '9007199254740992',
    '0.1',
    '1.10',
    '1e999',
  ])('%s is none', (literal) => {
    expect(inexactNumbers(`{"a":${literal}}`)).toEqual([]);
  });

  it('is none if JSON.stringify wrote it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(inexactNumbers(JSON.stringify([value]))).toEqual([]);
      }),
    );
  });

  it('is named by its path', () => {
    const bad = '12345678901234567890';
    const text = `{"metadata":{"list":[1,{"x":${bad}},"${bad}"],"a b":${bad},"é":[[${bad}]]},"n":${bad},"${'x'.repeat(300)}":${bad}}`;
    expect(inexactNumbers(text)).toEqual(['metadata.list[1].x', 'metadata["a b"]', 'metadata["é"][0][0]', 'n', `["${'x'.repeat(100)}…"]`]);
  });
});
