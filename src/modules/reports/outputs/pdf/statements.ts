import type { RunBalance } from '../../engine/inputs.js';
import type { ReportStatement } from '../report.js';
import { drawHeading, drawNote, type Edition } from './edition.js';
import type { Texts } from './paper.js';
import { drawTable, type Column, type Row } from './table.js';

const NOT_STATED = '\u2013';

/** The statements that were used, with what identifies them. */
export function drawStatements(edition: Edition): void {
  const { paper, words, report } = edition;
  drawHeading(edition, words.sections.statements, 2);
  if (report.statements.length === 0) return drawNote(edition, words.statements.none);
  drawNote(edition, words.statements.note);
  const { columns } = words;
  const heads: Column[] = [
    { heading: columns.reference, is: 'text' },
    { heading: columns.file, is: 'text' },
    { heading: columns.account, is: 'text' },
    { heading: columns.period, is: 'text' },
    { heading: columns.opening, is: 'number' },
    { heading: columns.closing, is: 'number' },
    { heading: columns.read, is: 'number' },
    { heading: columns.used, is: 'number' },
    { heading: columns.repeated, is: 'number' },
  ];
  drawTable(
    paper,
    heads,
    report.statements.flatMap((statement) => [
      rowOf(edition, statement),
      { cells: [`SHA-256 ${statement.sha256}`], span: heads.length, is: 'note' as const },
    ]),
  );
}

function rowOf(edition: Edition, statement: ReportStatement): Row {
  const { formats } = edition;
  const listed = (texts: readonly string[]): Texts => (texts.length === 0 ? NOT_STATED : texts);
  return {
    cells: [
      statement.reference,
      statement.fileName ?? NOT_STATED,
      listed(accountsOf(statement)),
      periodOf(edition, statement) ?? NOT_STATED,
      listed(balancesOf(edition, statement, 'opening')),
      listed(balancesOf(edition, statement, 'closing')),
      formats.number(statement.linesRead),
      formats.number(statement.linesUsed),
      formats.number(statement.duplicates),
    ],
  };
}

/** The accounts of a statement, as people know them. */
export function accountsOf({ balances, accountLabel }: ReportStatement): string[] {
  const accounts = [...new Set(balances.map(({ account }) => labelOf(account, accountLabel)))];
  return accounts.length > 0 || accountLabel === null ? accounts : [accountLabel];
}

/** The period of a statement; null if it states none. */
export const periodOf = ({ words, formats }: Edition, { periodStart, periodEnd }: ReportStatement): string | null =>
  periodStart === null || periodEnd === null ? null : words.period(formats.day(periodStart), formats.day(periodEnd));

/** The opening or closing balances of a statement, in the order of its accounts. */
export function balancesOf({ formats }: Edition, { balances }: ReportStatement, which: 'opening' | 'closing'): string[] {
  return balances.map(({ currency, [which]: amount }: RunBalance) =>
    amount === null ? NOT_STATED : [currency, formats.number(amount)].filter(Boolean).join('\u00a0'),
  );
}

/** Tokens of own accounts end with the last characters of the account, such as `ACCOUNT-7Q2M4XKD9ABC (3000)`. */
function labelOf(account: string | null, label: string | null): string {
  const [, last] = /\(([^()]+)\)$/.exec(account ?? '') ?? [];
  return last === undefined ? (account ?? label ?? NOT_STATED) : `•••• ${last}`;
}
