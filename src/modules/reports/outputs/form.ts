import type { Wording } from '../../../api/wording/wording.js';
import type { ClaimReportFormLineDto } from '../result.dto.js';
import type { FileSink, Report } from './report.js';
import { type Cell, type Column, number, text } from './tables.js';
import { writeTable } from './text-files.js';

const COLUMNS: readonly Column[] = [
  ...['section', 'id', 'number', 'label', 'value'].map(text),
  ...['amount', 'computed', 'at_most', 'percent'].map(number),
  ...['categories', 'evidence'].map(text),
];

/** The form of a claim as CSV, line by line in its own order, for whoever copies it into the form itself. */
export const writeForm = (report: Report, file: FileSink): Promise<void> => writeTable({ columns: COLUMNS, rows: rowsOf(report) }, file);

function* rowsOf({ result: { form } }: Report): Iterable<readonly Cell[]> {
  for (const { title, lines } of form!.sections)
    for (const { id, number: no, label, value, amount, computed, atMost, percent, categories, evidence } of lines)
      yield [
        ...[title, id, no, label, value, amount],
        ...[computed, atMost, percent, categories?.join(' ')].map((cell) => cell ?? null),
        evidence,
      ];
}

type Words = Pick<Wording, 'say' | 'formats'>;

/** What stands on a line that has no amount. Days are written as the language does. */
export const valueOf = ({ formats }: Words, { value }: ClaimReportFormLineDto): string =>
  value === null ? '' : /^\d{4}-\d\d-\d\d$/.test(value) ? formats.day(value) : value;

/** How the amount of a line came about, and what has to be at hand for it. */
export function noteOf({ say, formats: { number: shown, percent: inPercent } }: Words, line: ClaimReportFormLineDto): string {
  const { categories, percent, computed, atMost, evidence } = line;
  return [
    categories?.join(', '),
    percent === undefined ? null : inPercent(percent),
    computed === undefined ? null : say('report.form.computed', { amount: shown(computed) }),
    atMost === undefined ? null : say('report.form.atMost', { amount: shown(atMost) }),
    evidence,
  ]
    .filter(Boolean)
    .join(' · ');
}
