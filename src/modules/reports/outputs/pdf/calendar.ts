import type { ClaimReportEvidenceMonthDto } from '../../result.dto.js';
import { drawHeading, drawNote, type Edition } from './edition.js';
import { drawTable, type Column, type Row } from './table.js';

const MARKS = { covered: '\u2713', partial: '\u25d0', missing: '\u2717', outside: '\u00b7' };
const MONTHS = Array.from({ length: 12 }, (_value, index) => index + 1);

/** Which months the statements cover: first by year at a glance, then each month with its statements. */
export function drawCalendar(edition: Edition): void {
  const { words, formats, report } = edition;
  const { evidence } = report.result;
  const { status, note } = words.calendar;
  drawHeading(edition, words.sections.calendar, 2);
  drawNote(edition, `${words.summary.coverage(formats.percent(evidence.coveragePercent))} ${note}`);
  if (evidence.months.length === 0) return;
  drawYears(edition, evidence.months);
  const kinds = ['covered', 'partial', 'missing', 'outside'] as const;
  drawNote(edition, kinds.map((kind) => `${MARKS[kind]}\u00a0${status[kind]}`).join('    '));
  const { columns } = words;
  const heads: Column[] = [columns.month, columns.coverage, columns.statements].map((heading) => ({ heading, is: 'text' }));
  const positions = new Map(report.statements.map(({ id }, index) => [id, index + 1]));
  const rows = evidence.months.map((month): Row => ({
    cells: [formats.month(month.month), status[month.status], rangesOf(month.statementIds.map((id) => positions.get(id)!)) || '\u2013'],
  }));
  drawTable(edition.paper, heads, rows);
}

function drawYears({ paper, words, formats }: Edition, months: readonly ClaimReportEvidenceMonthDto[]): void {
  const byMonth = new Map(months.map(({ month, status }) => [month, status]));
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const heads = [words.columns.year, ...MONTHS.map((month) => formats.shortMonth(month))].map((heading): Column => ({
    heading,
    is: 'mark',
  }));
  const rows = years.map((year): Row => ({
    cells: [year, ...MONTHS.map((month) => MARKS[byMonth.get(`${year}-${String(month).padStart(2, '0')}`) ?? 'outside'])],
  }));
  drawTable(paper, heads, rows, 6);
}

/** `S1–S3, S7`: the statements of a long period are many. */
export function rangesOf(positions: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const position of [...positions].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && position === last[1] + 1) last[1] = position;
    else ranges.push([position, position]);
  }
  return ranges
    .map(([first, last]) => (first === last ? `S${first}` : `S${first}${last === first + 1 ? ', ' : '\u2013'}S${last}`))
    .join(', ');
}
