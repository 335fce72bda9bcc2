import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, Paper } from './paper.js';

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

it('the same calls make the same bytes, whatever is written', async () => {
  const made = async () => {
    const chunks: Uint8Array[] = [];
    const file = { add: (chunk: Uint8Array) => void chunks.push(chunk) };
    const paper = new Paper({ title: 'Cost & <time>', language: 'en', size: 'a4', createdAt: new Date(0), file });
    await paper.open();
    for (let line = 0; line < 200; line += 1) paper.write('P', `Łódź, שלום, 漢字 and ${line}`, {}, 4);
    await paper.finish({ above: ['Cost', ''], below: (page, count) => ['', `${page} of ${count}`] });
    return Buffer.concat(chunks);
  };
  const first = await made();
  expect(first.subarray(0, 8).toString()).toBe('%PDF-1.7');
  expect((await made()).equals(first)).toBe(true);
});
