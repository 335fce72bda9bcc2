import { XML } from './xml.js';

/** Cells refer to their style by its index in `cellXfs`. */
export const STYLES = { text: 1, heading: 2, title: 3, date: 4 } as const;

const FIRST_NUMBER_STYLE = 5;
const MAX_DECIMALS = 6;

/** A number is shown with as many decimals as its text has. */
export function numberStyleOf(decimal: string): number {
  const decimals = decimal.includes('.') ? decimal.length - decimal.indexOf('.') - 1 : 0;
  return FIRST_NUMBER_STYLE + Math.min(decimals, MAX_DECIMALS);
}

/** Ids below 164 are built-in formats: 49 is text. */
const TEXT_FORMAT = 49;
const DATE_FORMAT = 164;
const FIRST_NUMBER_FORMAT = 165;
const decimalPlaces = Array.from({ length: MAX_DECIMALS + 1 }, (_value, decimals) => decimals);

const formats = [
  `<numFmt numFmtId="${DATE_FORMAT}" formatCode="yyyy\\-mm\\-dd"/>`,
  ...decimalPlaces.map(
    (decimals) =>
      `<numFmt numFmtId="${FIRST_NUMBER_FORMAT + decimals}" formatCode="#,##0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}"/>`,
  ),
];

/** In the order of `STYLES`, then the numbers. The text format keeps an edited text from becoming a formula. */
const cellStyles = [
  '<xf/>',
  `<xf numFmtId="${TEXT_FORMAT}" applyNumberFormat="1"/>`,
  '<xf fontId="1" fillId="2" borderId="1" applyFont="1" applyFill="1" applyBorder="1"/>',
  '<xf fontId="2" applyFont="1"/>',
  `<xf numFmtId="${DATE_FORMAT}" applyNumberFormat="1"/>`,
  ...decimalPlaces.map((decimals) => `<xf numFmtId="${FIRST_NUMBER_FORMAT + decimals}" applyNumberFormat="1"/>`),
];

const font = (size: number, more = '') => `<font>${more}<sz val="${size}"/><name val="Calibri"/></font>`;
const list = (name: string, items: readonly string[]) => `<${name} count="${items.length}">${items.join('')}</${name}>`;

export const stylesXml = [
  `${XML}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`,
  list('numFmts', formats),
  list('fonts', [font(11), font(11, '<b/>'), font(14, '<b/>')]),
  list('fills', [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE8EEF4"/></patternFill></fill>',
  ]),
  list('borders', ['<border/>', '<border><left/><right/><top/><bottom style="thin"><color rgb="FF9FB3C8"/></bottom></border>']),
  list('cellStyleXfs', ['<xf/>']),
  list('cellXfs', cellStyles),
  list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
  '</styleSheet>',
].join('');
