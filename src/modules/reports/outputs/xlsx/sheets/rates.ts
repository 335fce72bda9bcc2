import type { ClaimReportConversionsDto } from '../../../result.dto.js';
import type { Report } from '../../report.js';
import { heading, number, type Row, type Sheet, text } from '../sheet.js';
import type { WorkbookWords } from '../words/words.js';

/** The rates that lines were converted with, their source, and the sums of what was converted. */
export function ratesSheet({ result }: Report, { words, own, formats }: WorkbookWords, conversions: ClaimReportConversionsDto): Sheet {
  const { columns, method } = words;
  const { source, currencies, rates, ratesNotListed } = conversions;
  const rows: Row[] = [
    {
      cells: [
        heading(columns.currency),
        ...[columns.read, columns.net, `${columns.converted}, ${result.currency}`].map((name) => heading(name, 'number')),
      ],
    },
    ...currencies.map(({ currency, count, net, converted }): Row => ({
      cells: [text(currency), number(String(count)), number(net), number(converted)],
    })),
    { cells: [] },
    { cells: [heading(columns.currency), ...[columns.read, columns.rate, columns.rateFor].map((name) => heading(name, 'number'))] },
    ...rates.map(({ currency, rateFor, rate, count }): Row => ({
      cells: [text(currency), number(String(count)), number(rate), text(rateFor)],
    })),
    ...(ratesNotListed > 0 ? [{ cells: [text(method.ratesNotListed(formats, ratesNotListed))] }] : []),
    { cells: [] },
    { cells: [text(method.paragraphs.converted(source))] },
  ];
  return { name: own.sheets.rates, widths: [60, 12, 18, 18], rows, rowCount: rows.length, isLandscape: true };
}
