const LETTERS = 26;
const FIRST_LETTER = 'A'.charCodeAt(0);

/** `A` for the first column, `AA` for the 27th. */
export function letterOf(index: number): string {
  const before = index < LETTERS ? '' : letterOf(Math.floor(index / LETTERS) - 1);
  return before + String.fromCharCode(FIRST_LETTER + (index % LETTERS));
}

/** The cells of a column from a row to another: `E2:E7`. */
export const columnRange = (column: number, first: number, last: number): string =>
  `${letterOf(column)}${first}:${letterOf(column)}${last}`;

/** The same, wherever a formula is copied to: `Items!$E$2:$E$7`. */
export const fixedRange = (sheet: string, column: number, first: number, last: number): string =>
  `${quotedName(sheet)}!$${letterOf(column)}$${first}:$${letterOf(column)}$${last}`;

/** The top left part of a sheet up to a cell. */
export const fixedArea = (sheet: string, columns: number, rows: number): string =>
  `${quotedName(sheet)}!$A$1:$${letterOf(columns - 1)}$${rows}`;

export const quotedName = (sheet: string): string => `'${sheet}'`;
