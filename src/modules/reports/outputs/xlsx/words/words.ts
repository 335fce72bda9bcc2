import type { ControlName } from '../../../engine/checks/controls.js';
import type { Finding } from '../../../engine/checks/findings.js';
import type { Report } from '../../report.js';
import { wordingOf, type Wording } from '../../wording/wording.js';
import { GERMAN } from './de.js';
import { ENGLISH } from './en.js';
import { SPANISH } from './es.js';
import { FRENCH } from './fr.js';
import { DUTCH } from './nl.js';
import type { OwnWords } from './own-words.js';

const OWN: Readonly<Record<string, OwnWords>> = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH, nl: DUTCH };
const OF_BALANCE = 'statement_balance:';

/** Every word of a workbook, in the language of the report. */
export interface WorkbookWords extends Wording {
  readonly own: OwnWords;
  /** The headings of figures. */
  readonly figures: readonly string[];
  readonly sentenceOf: (finding: Finding) => string;
  readonly nameOfControl: (name: string) => string;
}

export function workbookWordsOf({ options, statements }: Report): WorkbookWords {
  const wording = wordingOf(options.locale);
  const { words, formats } = wording;
  const { columns, method } = words;
  const own = OWN[new Intl.Locale(wording.language).language]!;
  const names = new Map(
    statements.map(({ id, reference, fileName }) => [id, fileName === null ? reference : `${reference} (${fileName})`]),
  );
  return {
    ...wording,
    own,
    figures: [columns.read, columns.expenses, columns.refunds, columns.net, columns.claim],
    sentenceOf: (finding) => {
      // The kinds and their sentences have the same fields, which the compiler cannot see for a union.
      const sentence = words.exceptions.findings[finding.kind] as (f: typeof formats, about: object) => string;
      return sentence(formats, { ...finding, ...namesIn(finding, names) });
    },
    nameOfControl: (name) =>
      name.startsWith(OF_BALANCE) ? method.balance(names.get(name.slice(OF_BALANCE.length)) ?? name) : method.control[name as ControlName],
  };
}

/** What people call the statement and the categories of a finding. */
function namesIn(finding: Finding, statements: ReadonlyMap<string, string>): Record<'statement' | 'category' | 'other', string> {
  const nameOf = ({ code, name }: { readonly code: string; readonly name: string }) => (name === code ? code : `${name} (${code})`);
  return {
    statement: 'statementId' in finding ? (statements.get(finding.statementId) ?? finding.statementId) : '',
    category: 'category' in finding ? nameOf(finding.category) : '',
    other: 'other' in finding ? nameOf(finding.other) : '',
  };
}
