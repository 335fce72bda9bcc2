import { cellXml, type Cell } from './cell.js';
import { heightXml } from './row-height.js';
import { letterOf } from './references.js';
import type { Styles } from './styles.js';
import { escaped, XML } from './xml.js';

export interface Row {
  readonly cells: readonly Cell[];
  /** Whether a click on the row of a subtotal hides it. */
  readonly isDetail?: boolean;
}

export interface Sheet {
  readonly name: string;
  /** Of the columns, in characters. */
  readonly widths: readonly number[];
  readonly rows: Iterable<Row>;
  readonly rowCount: number;
  /** For a sheet that is one table: its first row stays in view and is printed on every page. Rows up to `last` can be filtered. */
  readonly table?: { readonly last: number };
  readonly isLandscape?: boolean;
}

export interface SheetOptions {
  readonly isFirst: boolean;
  readonly paperSize: 'a4' | 'letter';
  /** What stands at the foot of each page: `Page &P of &N`. */
  readonly page: string;
  readonly styles: Styles;
}

const FROZEN_HEADING =
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/>';
const PAPERS = { a4: 9, letter: 1 };

/** The order of the elements is that of the format: a program refuses a file with another order. */
export function* sheetXml(
  { widths, rows, rowCount, table, isLandscape }: Sheet,
  { isFirst, paperSize, page, styles }: SheetOptions,
): Iterable<string> {
  yield `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`;
  yield '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
  yield `<dimension ref="A1:${letterOf(widths.length - 1)}${Math.max(1, rowCount)}"/>`;
  yield `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">`;
  yield `${table ? FROZEN_HEADING : ''}</sheetView></sheetViews>`;
  yield '<sheetFormatPr defaultRowHeight="15" outlineLevelRow="1"/>';
  yield `<cols>${widths.map(columnXml).join('')}</cols><sheetData>`;
  yield* rowsXml(rows, widths, styles);
  yield '</sheetData>';
  if (table) yield `<autoFilter ref="A1:${letterOf(widths.length - 1)}${table.last}"/>`;
  yield '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>';
  const orientation = isLandscape ? 'landscape' : 'portrait';
  yield `<pageSetup paperSize="${PAPERS[paperSize]}" orientation="${orientation}" fitToWidth="1" fitToHeight="0"/>`;
  yield `<headerFooter><oddFooter>${escaped(`&L&A&R${page}`)}</oddFooter></headerFooter></worksheet>`;
}

const columnXml = (width: number, index: number): string => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;

function* rowsXml(rows: Iterable<Row>, widths: readonly number[], styles: Styles): Iterable<string> {
  let number = 0;
  for (const { cells, isDetail } of rows) {
    number += 1;
    const written = cells.map((cell, index) => (cell === null ? '' : cellXml(cell, `${letterOf(index)}${number}`, styles)));
    yield `<row r="${number}"${heightXml(cells, widths)}${isDetail ? ' outlineLevel="1"' : ''}>${written.join('')}</row>`;
  }
}
