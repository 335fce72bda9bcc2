import type { ClaimReportConversionsDto, ClaimReportReceiptDto } from '../../../result.dto.js';
import type { Report, ReportStatement } from '../../report.js';
import { date, filler, heading, headingsNamed, number, subtotalOf, text } from '../sheet.js';
import type { Cell, Row, Sheet, WorkbookWords } from '../sheet.js';

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
  return { name: say('workbook.sheets.rates'), widths: [60, 12, 18, 18], rows, rowCount: rows.length };
}

/** What receipts are called, and their files. */
export function receiptsSheet({ say }: WorkbookWords, receipts: readonly ClaimReportReceiptDto[]): Sheet {
  const heads = [...headingsNamed(say, 'text', 'report.columns.reference', 'report.columns.file'), heading('SHA-256')];
  const rows = receipts.map(({ reference, fileName, sha256 }): Row => ({ cells: [reference, fileName, sha256].map((cell) => text(cell)) }));
  const last = rows.length + 1;
  return {
    name: say('report.sections.receipts'),
    widths: [12, 40, 70],
    rows: [{ cells: heads }, ...rows],
    rowCount: last,
    table: { last },
  };
}

const COUNTS = ['linesRead', 'linesUsed', 'duplicates'] as const;
const FIRST_COUNT = 5;

/** The statements that were read. Each currency has columns of its own for balances. */
export function statementsSheet({ statements }: Report, book: WorkbookWords): Sheet {
  const currencies = [...new Set(statements.flatMap(({ balances }) => balances.map(({ currency }) => currency)))].sort();
  const rows = statements.flatMap((statement) => statementRows(statement, currencies, book));
  const last = rows.length + 1;
  const totals = COUNTS.map((name, index) => {
    const sum = statements.reduce((total, statement) => total + statement[name], 0);
    return number(String(sum), { look: 'total', formula: subtotalOf(FIRST_COUNT + index, 2, last) });
  });
  const total: Cell[] = [text(book.say('report.total'), 'total'), ...filler(FIRST_COUNT - 1, 'total'), ...totals];
  return {
    name: book.say('workbook.sheets.statements'),
    widths: [12, 30, 24, 12, 12, 9, 9, 10, ...currencies.flatMap(() => [14, 14]), 22, 36, 40],
    rows: [{ cells: headingsOf(book, currencies) }, ...rows, { cells: total }],
    rowCount: last + 1,
    table: { last },
  };
}

function headingsOf({ say }: WorkbookWords, currencies: readonly (string | null)[]): Cell[] {
  const balances = currencies.flatMap((currency) =>
    (['opening', 'closing'] as const).map((name) =>
      heading(`${say(`report.columns.${name}`)}, ${currency ?? say('workbook.noCurrency')}`, 'number'),
    ),
  );
  return [
    ...headingsNamed(say, 'text', 'report.columns.reference', 'report.columns.file', 'report.columns.account'),
    ...headingsNamed(
      say,
      'number',
      'workbook.firstDay',
      'workbook.lastDay',
      'report.columns.read',
      'report.columns.used',
      'report.columns.repeated',
    ),
    ...balances,
    heading(say('report.columns.certainty')),
    heading('SHA-256'),
    heading(say('workbook.statementId')),
  ];
}

/** A row, and another for each further account in the file. */
function statementRows(statement: ReportStatement, currencies: readonly (string | null)[], { say }: WorkbookWords): Row[] {
  const { reference, fileName, accountLabel, periodStart, periodEnd, balances, certainty, sha256, id } = statement;
  const balanceCells = (balance?: ReportStatement['balances'][number]) =>
    currencies.flatMap((currency) => (balance?.currency === currency ? [number(balance.opening), number(balance.closing)] : [null, null]));
  const [first, ...others] = balances;
  const cells = [
    ...[text(reference), text(fileName), text(accountLabel), date(periodStart), date(periodEnd)],
    ...COUNTS.map((name) => number(String(statement[name]))),
    ...balanceCells(first),
    text(certainty && say(`report.statements.certainty.${certainty}`)),
    text(sha256),
    text(id),
  ];
  return [
    { cells },
    ...others.map((balance) => ({
      cells: [text(reference), null, text(balance.account), null, null, null, null, null, ...balanceCells(balance)],
    })),
  ];
}
