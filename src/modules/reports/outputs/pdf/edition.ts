import type { ReportStatement, Report } from '../report.js';
import { wordingOf, type Wording } from '../wording/wording.js';
import { COLOURS, Paper } from './paper.js';

/** A report that is being written in a language on paper. */
export interface Edition extends Wording {
  readonly report: Report;
  readonly paper: Paper;
  /** An amount with the currency of the report. */
  readonly money: (amount: string) => string;
  /** A statement as sentences name it, by its id. */
  readonly nameOf: (statementId: string) => string;
}

export const nameOfCategory = ({ code, name }: { readonly code: string; readonly name: string }): string =>
  name === code ? code : `${name} (${code})`;

export function editionOf(report: Report): Edition {
  const { options, about, result } = report;
  const wording = wordingOf(options.locale);
  const paper = new Paper({
    title: [wording.words.title, about.configuration, about.project].filter(Boolean).join(' \u2013 '),
    language: wording.language,
    size: options.paperSize ?? (options.locale === 'en-US' ? 'letter' : 'a4'),
    createdAt: new Date(about.startedAt),
    maxBytes: report.maxFileBytes,
  });
  const names = new Map(report.statements.map((statement) => [statement.id, nameOfStatement(statement)]));
  return {
    ...wording,
    report,
    paper,
    money: (amount) => [result.currency, wording.formats.number(amount)].filter(Boolean).join('\u00a0'),
    nameOf: (id) => names.get(id)!,
  };
}

const nameOfStatement = ({ reference, fileName }: ReportStatement): string =>
  fileName === null ? reference : `${reference} (${fileName})`;

/** A heading, with room for what it is about. */
export function drawHeading({ paper }: Pick<Edition, 'paper'>, text: string, level: 1 | 2 | 3): void {
  paper.needRoom(level === 2 ? 210 : 120);
  if (level === 2 && paper.y > paper.top) paper.y += 8;
  paper.write(`H${level}`, text, { size: [20, 13, 9.5][level - 1], bold: true, colour: level === 2 ? COLOURS.accent : COLOURS.ink }, 5);
}

export const drawNote = ({ paper }: Pick<Edition, 'paper'>, text: string): void => paper.write('P', text, { colour: COLOURS.quiet }, 8);
