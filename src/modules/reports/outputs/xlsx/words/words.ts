import type { Finding } from '../../../engine/checks/findings.js';
import { hasTax } from '../../contained-tax.js';
import type { Report } from '../../report.js';
import { nameOfControl, namesOf, sentenceOf } from '../../wording/sentences.js';
import { wordingOf, type Wording } from '../../wording/wording.js';
import { GERMAN } from './de.js';
import { ENGLISH } from './en.js';
import { SPANISH } from './es.js';
import { FRENCH } from './fr.js';
import { DUTCH } from './nl.js';
import type { OwnWords } from './own-words.js';

const OWN: Readonly<Record<string, OwnWords>> = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH, nl: DUTCH };

/** Every word of a workbook, in the language of the report. */
export interface WorkbookWords extends Wording {
  readonly own: OwnWords;
  /** The headings of figures. */
  readonly figures: readonly string[];
  readonly sentenceOf: (finding: Finding) => string;
  readonly nameOfControl: (name: string) => string;
}

export function workbookWordsOf({ options, statements, result }: Report): WorkbookWords {
  const wording = wordingOf(options.locale);
  const { words } = wording;
  const { columns } = words;
  const own = OWN[new Intl.Locale(wording.language).language]!;
  const nameOf = namesOf(statements);
  return {
    ...wording,
    own,
    figures: [
      ...[columns.read, columns.expenses, columns.refunds, columns.net, columns.claim],
      ...(hasTax(result) ? [columns.tax, columns.withoutTax] : []),
    ],
    sentenceOf: (finding) => sentenceOf(wording, nameOf, finding),
    nameOfControl: (name) => nameOfControl(wording, nameOf, name),
  };
}
