import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { requiredText } from './required-text.js';

describe('the text that a pattern requires', () => {
  it.each([
    ['hosting', 'HOSTING'],
    ['\\brail (ticket|berlin)\\b.*[0-9]{4}', 'RAIL '],
    ['invoice [0-9]+ of march', ' OF MARCH'],
    ['colou?r of it', 'R OF IT'],
    ['abc+de', 'ABC'],
    ['(?:cloud|hosting) services', ' SERVICES'],
    ['a{2,3}bcd', 'BCD'],
    ['[]x]abc', 'ABC'],
  ])('of %s is %s', (pattern, text) => {
    expect(requiredText(pattern)).toBe(text);
  });

  it.each(['rail|train', '(rail)', 'ra?i?l?', '.*', '', '(?i)rail ticket', '\\x41bcdef', '\\Qa|b\\Ecdef', 'ab'])('of %s is not told', (pattern) => {
    expect(requiredText(pattern)).toBeUndefined();
  });

  it('stands in whatever the pattern finds', () => {
    const piece = fc.constantFrom('a', 'b', 'C', 'ab', 'abc', ' ', '1', '.', '\\b', '\\d', '\\.', '[a-c]', '[^b]', '[]a]', '(ab|c)', '(?:abc)', '(a(b|c))', 'x*', 'a?', 'b+', 'c{2}', 'a{0,2}', '(ab)?', '^', '$', '|');
    const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'ab', 'abc', 'ABC', ' ', '1', '.', 'x', ']'), { maxLength: 14 }).map((parts) => parts.join(''));
    fc.assert(fc.property(pattern, text, (source, given) => {
      const required = requiredText(source);
      let compiled: RE2JS;
      try {
        compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
      } catch {
        return;
      }
      if (required !== undefined && compiled.test(given)) expect(given.toUpperCase()).toContain(required);
    }), { numRuns: 3000 });
  });
});
