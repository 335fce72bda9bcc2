import type { ClaimReportFormDto } from '../../result.dto.js';
import { noteOf, valueOf } from '../form.js';
import { columnsNamed, drawHeading, drawNote, type Edition } from './edition.js';
import { drawTable, type Row } from './table.js';

/** The claim as its form has it, on a page of its own. */
export function drawForm(edition: Edition, form: ClaimReportFormDto): void {
  const { paper, say, formats, money } = edition;
  drawHeading(edition, form.name, 2);
  drawNote(edition, `${form.edition}. ${form.source}.`);
  const heads = [...columnsNamed(edition, 'text', 'reference', 'details', 'note'), ...columnsNamed(edition, 'number', 'amount')];
  for (const { title, lines } of form.sections) {
    drawHeading(edition, title, 3);
    const rows = lines.map((line): Row => ({
      cells: [
        line.number ?? '',
        line.label,
        valueOf(edition, line) || noteOf(edition, line),
        line.amount === null ? '' : formats.number(line.amount),
      ],
    }));
    drawTable(paper, heads, rows, 8);
  }
  drawNote(edition, say('report.form.total', { amount: money(form.total) }));
  if (/[1-9]/.test(form.notOnForm)) drawNote(edition, say('report.form.notOnForm', { amount: money(form.notOnForm) }));
}
