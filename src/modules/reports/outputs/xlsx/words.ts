import type { WordingKey } from '../../../../api/wording/catalogues.js';
import { type Say, type Wording, wordingOf } from '../../../../api/wording/wording.js';
import type { Finding } from '../../engine/checks/findings.js';
import { hasTax, type Report } from '../report.js';
import { nameOfControl, namesOf, sentenceOf } from '../wording/sentences.js';
import { type Cell, heading } from './sheet.js';

export interface WorkbookWords extends Wording {
  readonly figures: readonly string[];
  readonly sentenceOf: (finding: Finding) => string;
  readonly nameOfControl: (name: string) => string;
}

export function workbookWordsOf({ options, statements, result }: Report): WorkbookWords {
  const wording = wordingOf(options.locale);
  const nameOf = namesOf(statements);
  const figures = ['read', 'expenses', 'refunds', 'net', 'claim', ...(hasTax(result) ? (['tax', 'withoutTax'] as const) : [])] as const;
  return {
    ...wording,
    figures: figures.map((name) => wording.say(`report.columns.${name}`)),
    sentenceOf: (finding) => sentenceOf(wording, nameOf, finding),
    nameOfControl: (name) => nameOfControl(wording, nameOf, name),
  };
}

export const headingsNamed = (say: Say, format: 'text' | 'number', ...keys: readonly WordingKey[]): Cell[] =>
  keys.map((key) => heading(say(key), format));
