import type { Report } from '../../report.js';
import { heading, number, text } from '../cell.js';
import type { Row, Sheet } from '../sheet.js';
import type { WorkbookWords } from '../words/words.js';

/** What to check before the claim is sent, and the sums that must be equal. */
export function exceptionsSheet({ findings, result }: Report, { words, own, sentenceOf, nameOfControl }: WorkbookWords): Sheet {
  const { exceptions, columns, method } = words;
  const found = findings.map((finding, index): Row => ({ cells: [number(String(index + 1)), text(sentenceOf(finding))] }));
  const controls = result.controls.map(({ name, expected, actual, ok }): Row => ({
    cells: [null, text(nameOfControl(name)), number(expected), number(actual), text(ok ? words.yes : words.no)],
  }));
  const rows: Row[] = [
    { cells: [heading(own.number, 'number'), heading(exceptions.note)] },
    ...(found.length > 0 ? found : [{ cells: [null, text(exceptions.none)] }]),
    { cells: [] },
    {
      cells: [
        heading(''),
        heading(method.controls),
        ...[columns.expected, columns.actual].map((name) => heading(name, 'number')),
        heading(columns.agrees),
      ],
    },
    ...controls,
  ];
  return { name: own.sheets.exceptions, widths: [6, 100, 16, 16, 12], rows, rowCount: rows.length, isLandscape: true };
}
