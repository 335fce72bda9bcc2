import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from './paper.js';

/** Every character is as wide as its code unit count. */
const widthOf = (part: string) => part.length;

describe('the lines of a text', () => {
  it('break at blanks, and within a word that is too long', () => {
    expect(linesOf('one two three', 7, widthOf)).toEqual(['one two', 'three']);
    expect(linesOf('abcdefghij kl', 4, widthOf)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(linesOf('abcdefghij kl', 5, widthOf)).toEqual(['abcde', 'fghij', 'kl']);
    expect(linesOf('', 5, widthOf)).toEqual(['']);
  });

  it('lose nothing and fit, whatever the text is', () => {
    const text = fc.array(fc.constantFrom('a', 'bb', 'ccccccccc', 'Łódź', ' ', '  ')).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (value, width) => {
        const lines = linesOf(value, width, widthOf);
        expect(lines.join('').replaceAll(' ', '')).toBe(value.replaceAll(' ', ''));
        for (const line of lines) expect(line.trim().length).toBeLessThanOrEqual(width);
      }),
    );
  });
});
