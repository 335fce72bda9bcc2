import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, lineOf, statementOf } from '../engine/fixtures/run.js';
import { computedReport } from './fixtures/computed-report.js';
import { textsOfPdf } from './fixtures/pdf-text.js';
import { sheetsOf } from './fixtures/workbook.js';
import { pdfFile, xlsxFile } from './fixtures/files.js';

const rail = (statement: number, bookedOn: string) => lineOf(statement, '-10.00', { bookedOn });
const meal = (statement: number, bookedOn: string) => lineOf(statement, '-20.00', { bookedOn, description: 'Lunch' });

async function someReport() {
  const lines = [
    ...[rail(1, '2026-02-03'), meal(1, '2026-01-02'), rail(1, '2026-01-20'), meal(1, '2026-03-01')],
    ...[rail(2, '2026-01-20'), rail(2, '2026-01-05'), lineOf(2, '-1.00', { description: 'Private' }), meal(2, '2026-01-02')],
  ];
  const categories = [categoryOf('MEALS', [claiming('Lunch')]), categoryOf('RAIL', [claiming('Rail')])];
  const report = await computedReport({ categories, statements: [statementOf(1), statementOf(2)] }, lines);
  const placeOf = (index: number) => `${index < 4 ? 'S1' : 'S2'}/${lines[index]!.lineNumber}`;
  return { report, expected: [1, 7, 3, 5, 2, 4, 0].map((index, at) => [at + 1, placeOf(index)]) };
}

describe('the number of an item', () => {
  it('counts by category, day and statement, and is the same in the PDF and in the workbook', async () => {
    const { report, expected } = await someReport();
    const words = textsOfPdf(await pdfFile(report))
      .flat()
      .map(({ text }) => text);
    const inPdf = words.flatMap((word, index) => (/^S\d\/\d+$/.test(word) ? [[Number(words[index - 1]), word]] : []));
    expect(inPdf).toEqual(expected);
    const items = sheetsOf(await xlsxFile(report)).get('Items')!;
    const inWorkbook = Array.from({ length: 7 }, (_value, index) => [Number(items[`N${index + 2}`]!.value), items[`E${index + 2}`]!.value]);
    expect(inWorkbook.sort(([a], [b]) => Number(a) - Number(b))).toEqual(expected);
  });
});
