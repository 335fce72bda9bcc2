import type { ClaimReportFormDto } from '../../../result.dto.js';
import { noteOf, valueOf } from '../../form.js';
import { headingsNamed, number, type Row, type Sheet, text, type WorkbookWords } from '../sheet.js';

/** The claim as its form has it, in the order of the form. */
export function formSheet({ name, edition, source, sections }: ClaimReportFormDto, book: WorkbookWords): Sheet {
  const { say } = book;
  const heads = [
    ...headingsNamed(say, 'text', 'report.columns.reference', 'report.columns.details'),
    ...headingsNamed(say, 'number', 'report.columns.amount'),
    ...headingsNamed(say, 'text', 'report.columns.note'),
  ];
  const rows: Row[] = [
    { cells: heads },
    { cells: [null, text(name, 'subtotal')] },
    { cells: [null, text(`${edition}. ${source}.`)] },
    ...sections.flatMap(({ title, lines }): Row[] => [
      { cells: [null, text(title, 'subtotal')] },
      ...lines.map((line): Row => ({
        cells: [text(line.number), text(line.label), number(line.amount), text(valueOf(book, line) || noteOf(book, line) || null)],
      })),
    ]),
  ];
  return { name: say('workbook.sheets.form'), widths: [8, 60, 16, 60], rows, rowCount: rows.length };
}
