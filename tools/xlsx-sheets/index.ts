/** The only file that a program imports. README.md says what the package does. */
export {
  cellText,
  columnRange,
  date,
  decimalsOf,
  filler,
  fixedArea,
  fixedRange,
  heading,
  letterOf,
  month,
  number,
  quotedName,
  sheetXml,
  Styles,
  subtotalOf,
  text,
  XML,
} from './sheets.js';
export type { Cell, Look, Row, Sheet } from './sheets.js';
