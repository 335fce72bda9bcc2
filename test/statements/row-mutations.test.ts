import { describe, expect, it } from 'vitest';
import { samples, type Sample } from './corpus.js';
import { isNeverWrongSilently, readOrRefused, type Mutant } from './mutants.js';

type Built = NonNullable<Sample['built']>;
type Rows = Built['rows'];

/** The file with a booking or what follows it missing, twice, or after the next row. */
function* mutantsOf(rows: Rows, first: number, mayEndEarlier: (index: number) => boolean): Generator<Mutant<Rows>> {
  for (const [index, row] of rows.entries()) {
    if (index < first) continue;
    if (!mayEndEarlier(index)) yield { how: `row ${index + 1} missing`, content: rows.toSpliced(index, 1) };
    yield { how: `row ${index + 1} twice`, content: rows.toSpliced(index, 0, row) };
    yield { how: `row ${index + 1} after the next`, content: rows.toSpliced(index, 2, rows[index + 1] ?? null, row).filter(Boolean) };
  }
}

const built = (await samples()).flatMap(({ built, ...sample }) => (built && sample.expected.lines ? [{ ...sample, built }] : []));

describe('a row of a workbook or PDF that is missing, doubled or moved never leads to another sum without a warning', () => {
  it.each(built)('$name', async ({ name, bytes, expected, built: { rows, from } }) => {
    const whole = await readOrRefused(bytes, name);
    // A table that begins later or ends earlier is a statement, too. A PDF has an opening and a closing balance.
    const isTable = name.endsWith('.xlsx');
    const first = isTable ? rows.length - expected.lines!.length : 0;
    const mayEndEarlier = (index: number): boolean => isTable && (index === first || index === rows.length - 1);
    for (const { how, content } of mutantsOf(rows, first, mayEndEarlier)) {
      const found = await readOrRefused(await from(content), name);
      expect(isNeverWrongSilently(found, whole!), how).toBe(true);
    }
  });

  it('in both formats', () => {
    for (const ext of ['.xlsx', '.pdf']) expect(built.some(({ name }) => name.endsWith(ext))).toBe(true);
  });
});
