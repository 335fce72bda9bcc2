import { headingOf, kindOf, type Cell, type Column, type Table } from '../tables.js';
import { numberStyleOf, STYLES } from './styles.js';
import { cellText, XML } from './xml.js';

/** Either one table with a frozen heading, or several tables with titles, one below the other. */
export interface Sheet {
  readonly name: string;
  readonly tables: readonly (Table & { readonly title?: string })[];
}

const WIDTHS: Record<Column['is'], number> = { text: 30, number: 14, date: 12, month: 12 };
const FROZEN_HEADING = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
const UNIX_EPOCH_SERIAL = 25_569;
const MS_PER_DAY = 86_400_000;

export function* sheetXml({ tables }: Sheet): Iterable<string> {
  const widths = tables[0]!.columns.map(
    ({ is }, index) => `<col min="${index + 1}" max="${index + 1}" width="${WIDTHS[is]}" customWidth="1"/>`,
  );
  yield `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`;
  yield `<sheetViews><sheetView workbookViewId="0">${tables.length === 1 ? FROZEN_HEADING : ''}</sheetView></sheetViews>`;
  yield `<cols>${widths.join('')}</cols><sheetData>`;
  yield* rowsOf(tables);
  yield '</sheetData></worksheet>';
}

function* rowsOf(tables: Sheet['tables']): Iterable<string> {
  let row = 0;
  const rowOf = (cells: readonly Cell[], write: (cell: string, reference: string, index: number) => string) => {
    row += 1;
    const written = cells.map((cell, index) => (cell === null ? '' : write(cell, `${LETTERS[index]}${row}`, index)));
    return `<row r="${row}">${written.join('')}</row>`;
  };
  for (const { title, columns, rows } of tables) {
    if (title !== undefined) yield rowOf([title], (cell, reference) => textCell(cell, reference, STYLES.title));
    yield rowOf(columns.map(headingOf), (cell, reference) => textCell(cell, reference, STYLES.heading));
    for (const cells of rows) yield rowOf(cells, (cell, reference, index) => valueCell(columns[index]!, cell, reference));
    row += 1;
  }
}

/** Enough for the columns of every table. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function valueCell(column: Column, cell: string, reference: string): string {
  switch (kindOf(column, cell)) {
    case 'number':
      return `<c r="${reference}" s="${numberStyleOf(cell)}"><v>${cell}</v></c>`;
    case 'date':
      return `<c r="${reference}" s="${STYLES.date}"><v>${Date.parse(cell) / MS_PER_DAY + UNIX_EPOCH_SERIAL}</v></c>`;
    default:
      return textCell(cell, reference, STYLES.text);
  }
}

/** An inline text is never read as a formula. */
function textCell(text: string, reference: string, style: number): string {
  const space = text.trim() === text ? '' : ' xml:space="preserve"';
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t${space}>${cellText(text)}</t></is></c>`;
}
