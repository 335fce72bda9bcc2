import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparableLine, type SearchText, TextFinder } from './conditions.js';

function lineWith(...description: string[]): ComparableLine {
  const texts = { description, counterparty: [], account: [], reference: [] };
  return { folded: texts, written: texts, hasMarks: false, size: 0n, direction: 'in', currency: null, date: '2026-01-01' };
}

/** An alphabet of few letters, so that texts overlap; some have two code units. */
function text(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom('A', 'B', ' ', 'Ü', '中', '😀', '\uffff'), { maxLength }).map((letters) => letters.join(''));
}

function obviously(spelling: string, { text: part, atStart, atEnd }: SearchText): boolean {
  const framed = `<${spelling}>`;
  return framed.includes(`${atStart ? '<' : ''}${part}${atEnd ? '>' : ''}`);
}

describe('texts that are searched together', () => {
  const searched = fc.record({ text: text(4), atStart: fc.boolean(), atEnd: fc.boolean() });

  it('are found exactly where each of them would be found alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(searched, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        fc.array(fc.array(text(8), { maxLength: 3 }), { maxLength: 5 }),
        (questions, lines) => {
          const finder = new TextFinder('description');
          const conditions = questions.map((question) => finder.anyOf(question));
          for (const line of lines.map((spellings) => lineWith(...spellings))) {
            const found = conditions.map((condition) => condition(line));
            const spellings = line.folded.description;
            expect(found).toEqual(
              questions.map((question) =>
                question.some(
                  (one) => spellings.some((spelling) => obviously(spelling, one)) || (one.text === '' && !one.atStart && !one.atEnd),
                ),
              ),
            );
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('may exceed the table: the rest is searched one by one', () => {
    const finder = new TextFinder('description');
    const texts = Array.from({ length: 2000 }, (_, index) =>
      `text number ${String(index).padStart(6, '0')} ${String.fromCharCode(0x4e00 + index)}`.toUpperCase(),
    );
    const conditions = texts.flatMap((one) =>
      [{}, { atStart: true }, { atEnd: true }, { atStart: true, atEnd: true }].map((edges) => finder.anyOf([{ text: one, ...edges }])),
    );
    const foundIn = (spelling: string): number[] => {
      const line = lineWith(spelling);
      return conditions.flatMap((condition, index) => (condition(line) ? [index] : []));
    };
    for (const index of [0, 1999]) {
      const at = index * 4;
      expect(foundIn(texts[index]!)).toEqual([at, at + 1, at + 2, at + 3]);
      expect(foundIn(`${texts[index]} .`)).toEqual([at, at + 1]);
      expect(foundIn(`. ${texts[index]}`)).toEqual([at, at + 2]);
    }
  });
});
