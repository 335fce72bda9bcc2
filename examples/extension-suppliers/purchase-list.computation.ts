import { declareReportOutput, object, oneOf, withoutFormulas, writeTexts } from '../../extension-computations.js';
import type { DetailLine, Report } from '../../extension-computations.js';

const SEPARATORS = { comma: ',', semicolon: ';' } as const;

interface PurchaseListOptions {
  readonly separator: keyof typeof SEPARATORS;
}

/** The claimed lines of a report, for the purchasing department. */
declareReportOutput<PurchaseListOptions>(import.meta.url, {
  format: 'purchase_list',
  about: 'List of purchases',
  mediaType: 'text/csv; charset=utf-8',
  name: 'purchases.csv',
  listsClaims: true,
  options: object<PurchaseListOptions>({
    closed: 'purchase_list',
    keys: { separator: { about: 'What is between two columns.', shape: oneOf(['comma', 'semicolon']), otherwise: 'comma' } },
  }),
  write: (report, file, { separator }) => writeTexts(file, rowsOf(report, SEPARATORS[separator])),
});

function* rowsOf({ lines }: Report, separator: string): Iterable<string> {
  const written = (...cells: readonly string[]): string => `${cells.map(quoted).join(separator)}\r\n`;
  yield written('date', 'supplier', 'order', 'amount', 'category');
  for (const line of lines) if (line.category !== null) yield written(...cellsOf(line, line.category));
}

const cellsOf = ({ bookedOn, counterparty, reference, amount }: DetailLine, category: string): string[] => [
  bookedOn,
  withoutFormulas(counterparty ?? ''),
  withoutFormulas(reference ?? ''),
  amount,
  category,
];

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
