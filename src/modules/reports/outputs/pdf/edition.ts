import { type Say, type Wording, wordingOf } from '../../../../api/wording/wording.js';
import type { FileSink, Report } from '../report.js';
import { type ColumnName, namesOf, type NameOfStatement } from '../wording/sentences.js';
import { COLOURS, Paper } from './paper.js';
import type { Column } from './table.js';

/** A report that is being written in a language on paper. */
export interface Edition extends Wording {
  readonly report: Report;
  readonly paper: Paper;
  readonly money: (amount: string) => string;
  readonly nameOf: NameOfStatement;
}

const REPORT = { titleOf: (say: Say): string => say('report.title'), isLandscape: false };

export function editionOf(report: Report, file: FileSink, { titleOf, isLandscape } = REPORT): Edition {
  const { options, about, result } = report;
  const wording = wordingOf(options.locale);
  const paper = new Paper({
    title: [titleOf(wording.say), about.configuration, about.project].filter(Boolean).join(' \u2013 '),
    language: wording.language,
    size: options.paperSize ?? (options.locale === 'en-US' ? 'letter' : 'a4'),
    isLandscape,
    createdAt: new Date(about.startedAt),
    file,
  });
  return {
    ...wording,
    report,
    paper,
    money: (amount) => [result.currency, wording.formats.number(amount)].filter(Boolean).join('\u00a0'),
    nameOf: namesOf(report.statements),
  };
}

/** Ends the document, with a title and the run at the head of its pages. */
export function finish({ paper, say, report }: Edition, title: string): Promise<void> {
  const run = `${say('report.fields.run')} \u2026${report.about.runId.slice(-RUN_CHARACTERS)}`;
  return paper.finish({ above: [title, run], below: (page, count) => ['', say('report.page', { page, count })] });
}

/** The first characters are those of all runs of the same minute. */
const RUN_CHARACTERS = 12;

/** Columns of a kind, with the headings that tables have in all files. */
export const columnsNamed = ({ say }: Edition, is: Column['is'], ...names: readonly ColumnName[]): Column[] =>
  names.map((name) => ({ heading: say(`report.columns.${name}`), is }));

/** A heading, with room for what it is about. */
export function drawHeading({ paper }: Pick<Edition, 'paper'>, text: string, level: 1 | 2 | 3): void {
  paper.needRoom(level === 2 ? 210 : 120);
  if (level === 2 && paper.y > paper.top) paper.y += 8;
  paper.write(`H${level}`, text, { size: [20, 13, 9.5][level - 1], bold: true, colour: level === 2 ? COLOURS.accent : COLOURS.ink }, 5);
}

export const drawNote = ({ paper }: Pick<Edition, 'paper'>, text: string): void => paper.write('P', text, { colour: COLOURS.quiet }, 8);

const LABEL_WIDTH = 112;

/** A label and its value; null if it is not known. */
export type Field = readonly [label: string, value: string | null];

/** A list of what is known. */
export function drawFields(edition: Edition, fields: readonly Field[]): void {
  edition.paper.inside('Table', () => {
    for (const [label, value] of fields) if (value !== null) drawField(edition, label, value);
  });
}

function drawField({ paper }: Edition, label: string, value: string): void {
  const [name, text] = [
    { size: 9, colour: COLOURS.quiet, width: LABEL_WIDTH },
    { size: 9, x: paper.left + LABEL_WIDTH + 8, width: paper.width - LABEL_WIDTH - 8 },
  ];
  const [names, texts] = [paper.linesOf(label, name), paper.linesOf(value, text)];
  const height = Math.max(names.length, texts.length) * 12 + 6;
  paper.needRoom(height);
  paper.inside('TR', () => {
    paper.inside('TH', () => paper.mark(() => paper.drawLines(names, paper.y, name)), { scope: 'Row' });
    paper.inside('TD', () => paper.mark(() => paper.drawLines(texts, paper.y, text)));
  });
  paper.y += height;
}
