import type { RunBalance } from '../../engine/inputs.js';
import type { ReportStatement } from '../report.js';
import { type Column, columnsNamed, drawHeading, drawNote, drawTable, type Edition, type Row } from './edition.js';
import type { Texts } from './paper.js';

const NOT_STATED = '\u2013';

export function drawStatements(edition: Edition): void {
  const { paper, say, report } = edition;
  drawHeading(edition, say('report.sections.statements'), 2);
  if (report.statements.length === 0) return drawNote(edition, say('report.statements.none'));
  drawNote(edition, say('report.statements.note'));
  const heads: Column[] = [
    ...columnsNamed(edition, 'text', 'reference', 'file', 'account', 'period'),
    ...columnsNamed(edition, 'number', 'opening', 'closing', 'read', 'used', 'repeated'),
  ];
  const rows = report.statements.flatMap((statement): Row[] => [
    rowOf(edition, statement),
    { cells: [noteOf(edition, statement)], span: heads.length, is: 'note' },
  ]);
  drawTable(paper, heads, rows);
}

/** What receipts are called in the items, and their files. */
export function drawReceipts(edition: Edition): void {
  const { paper, say, report } = edition;
  const { receipts } = report.result;
  if (!receipts) return;
  drawHeading(edition, say('report.sections.receipts'), 2);
  const rows = receipts.map(({ reference, fileName, sha256 }): Row => ({ cells: [reference, fileName, sha256] }));
  drawTable(paper, [...columnsNamed(edition, 'text', 'reference', 'file'), { heading: 'SHA-256', is: 'text' }], rows);
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

function noteOf({ say }: Edition, { certainty, sha256 }: ReportStatement): string {
  const hash = `SHA-256 ${sha256}`;
  return certainty === null ? hash : `${say('report.columns.certainty')}: ${say(`report.statements.certainty.${certainty}`)} · ${hash}`;
}

export function accountsOf({ balances, accountLabel }: ReportStatement): string[] {
  const accounts = [...new Set(balances.map(({ account }) => labelOf(account, accountLabel)))];
  return accounts.length > 0 || accountLabel === null ? accounts : [accountLabel];
}

/** The period of a statement; null if it states none. */
export const periodOf = ({ say, formats }: Edition, { periodStart, periodEnd }: ReportStatement): string | null =>
  periodStart === null || periodEnd === null
    ? null
    : say('report.period', { start: formats.day(periodStart), end: formats.day(periodEnd) });

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
