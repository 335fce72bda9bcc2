import type { ControlName, Finding } from '../../engine/checks/findings.js';
import { leadingOf } from '../../../../kernel/empty-claim.js';
import type { Report, ReportStatement } from '../report.js';
import type { Wording } from './wording.js';

const MAX_LISTED = 5;
const OF_BALANCE = 'statement_balance:';

/** A statement as sentences name it, by its id. */
export type NameOfStatement = (statementId: string) => string;

export function namesOf(statements: readonly ReportStatement[]): NameOfStatement {
  const names = new Map(
    statements.map(({ id, reference, fileName }) => [id, fileName === null ? reference : `${reference} (${fileName})`]),
  );
  return (id) => names.get(id)!;
}

export const nameOfCategory = ({ code, name }: { readonly code: string; readonly name: string }): string =>
  name === code ? code : `${name} (${code})`;

/** A finding as a sentence without codes and ids. */
export function sentenceOf({ words, formats }: Pick<Wording, 'words' | 'formats'>, nameOf: NameOfStatement, finding: Finding): string {
  const names = {
    statement:
      'statementIds' in finding ? listed(finding.statementIds.map(nameOf)) : 'statementId' in finding ? nameOf(finding.statementId) : '',
    later: 'later' in finding ? nameOf(finding.later) : '',
    earlier: 'earlier' in finding ? nameOf(finding.earlier) : '',
    category: 'category' in finding ? nameOfCategory(finding.category) : '',
    other: 'other' in finding ? nameOfCategory(finding.other) : '',
  };
  // The kinds and their sentences have the same fields, which the compiler cannot see for a union.
  const sentence = words.exceptions.findings[finding.kind] as (f: typeof formats, about: object) => string;
  return sentence(formats, { ...finding, ...names });
}

/** What the first page of a file says before any figure, if there was no line to claim from. */
export const leadingFindings = ({ findings, result }: Pick<Report, 'findings' | 'result'>): readonly Finding[] =>
  result.totals.count === 0 ? leadingOf(findings, ({ kind }) => kind) : [];

/** What a control compares. */
export function nameOfControl({ words }: Pick<Wording, 'words'>, nameOf: NameOfStatement, name: string): string {
  if (!isOfBalance(name)) return words.method.control[name as ControlName];
  // With several currencies, that of the balance follows the id.
  const [id = '', currency] = name.slice(OF_BALANCE.length).split(':');
  const label = words.method.balance(nameOf(id));
  return currency === undefined ? label : `${label} (${currency})`;
}

export const isOfBalance = (name: string): boolean => name.startsWith(OF_BALANCE);

const listed = (names: readonly string[]): string =>
  names.slice(0, MAX_LISTED).join(', ') + (names.length > MAX_LISTED ? ` (+${names.length - MAX_LISTED})` : '');
