import type { ClaimReportConversionsDto } from '../../../result.dto.js';
import type { Report } from '../../report.js';
import { heading, number, type Row, type Sheet, text } from '../sheet.js';
import { headingsNamed, type WorkbookWords } from '../words.js';

/** The rates that lines were converted with, their source, and the sums of what was converted. */
export function ratesSheet({ result }: Report, { say }: WorkbookWords, conversions: ClaimReportConversionsDto): Sheet {
  const { source, currencies, rates, ratesNotListed } = conversions;
  const rows: Row[] = [
    {
      cells: [
        heading(say('report.columns.currency')),
        ...headingsNamed(say, 'number', 'report.columns.read', 'report.columns.net'),
        heading(`${say('report.columns.converted')}, ${result.currency}`, 'number'),
      ],
    },
    ...currencies.map(({ currency, count, net, converted }): Row => ({
      cells: [text(currency), number(String(count)), number(net), number(converted)],
    })),
    { cells: [] },
    {
      cells: [
        heading(say('report.columns.currency')),
        ...headingsNamed(say, 'number', 'report.columns.read', 'report.columns.rate', 'report.columns.rateFor'),
      ],
    },
    ...rates.map(({ currency, rateFor, rate, count }): Row => ({
      cells: [text(currency), number(String(count)), number(rate), text(rateFor)],
    })),
    ...(ratesNotListed > 0 ? [{ cells: [text(say('report.method.ratesNotListed', { count: ratesNotListed }))] }] : []),
    { cells: [] },
    { cells: [text(say('report.method.paragraphs.converted', { source }))] },
  ];
  return { name: say('workbook.sheets.rates'), widths: [60, 12, 18, 18], rows, rowCount: rows.length, isLandscape: true };
}
