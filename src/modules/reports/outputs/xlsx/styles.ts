export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Excel refuses to open a file with a longer cell. */
const MAX_CELL_LENGTH = 32_767;

/** Characters that XML cannot contain or would change are written like Excel does, as `_x0007_`; so is a text that looks like that. */
const needsEscape = /_(?=x[\dA-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff&<>]/g;

/** A text without control characters, such as a formula or an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

export const cellText = (text: string): string =>
  text.slice(0, MAX_CELL_LENGTH).replace(needsEscape, (character) => ENTITIES[character] ?? `_x${hexOf(character)}_`);

/** How a value is shown. A number has `decimals`, and up to `upTo` if it needs more; decimal points stay below one another. */
export type Format = 'text' | 'date' | 'month' | 'time' | { readonly decimals: number; readonly upTo?: number };

const LOOKS = {
  plain: { font: 0, fill: 0, border: 0 },
  /** In a list with a name beside each value. */
  fact: { font: 0, fill: 0, border: 0 },
  claim: { font: 1, fill: 0, border: 0 },
  subtotal: { font: 1, fill: 0, border: 0 },
  total: { font: 1, fill: 0, border: 2 },
  heading: { font: 1, fill: 2, border: 1 },
  title: { font: 2, fill: 0, border: 0 },
} as const;
export type Look = keyof typeof LOOKS;

/** Looks whose numbers and dates begin at the left, as texts do. */
const AT_LEFT: readonly Look[] = ['fact', 'claim'];

const MAX_DECIMALS = 10;
/** Ids below 164 are built in: 49 is text. */
const TEXT_FORMAT = 49;
const FIRST_OWN_FORMAT = 164;
const CODES = { text: '@', date: 'yyyy\\-mm\\-dd', month: 'mmm\\ yyyy', time: 'yyyy\\-mm\\-dd\\ hh:mm' };

/** The styles that the cells of a workbook have. A cell refers to its style by a number. */
export class Styles {
  private readonly numbers = new Map<string, number>();
  private readonly formats: string[] = [];
  private readonly written = ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'];

  numberOf(format: Format, look: Look = 'plain'): number {
    const key = `${look} ${typeof format === 'string' ? format : `${format.decimals} ${format.upTo}`}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.written.push(styleXml(look, format === 'text', this.formatIdOf(codeOf(format)))) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }

  /** To be read after all cells were written. */
  *xml(): Iterable<string> {
    yield stylesXml(this.formats, this.written);
  }

  private formatIdOf(code: string): number {
    if (code === CODES.text) return TEXT_FORMAT;
    if (!this.formats.includes(code)) this.formats.push(code);
    return FIRST_OWN_FORMAT + this.formats.indexOf(code);
  }
}

function codeOf(format: Format): string {
  if (typeof format === 'string') return CODES[format];
  const { decimals, upTo = decimals } = format;
  const [always, atMost] = [Math.min(decimals, MAX_DECIMALS), Math.min(upTo, MAX_DECIMALS)];
  return atMost === 0 ? '#,##0' : `#,##0.${'0'.repeat(always)}${'?'.repeat(Math.max(0, atMost - always))}`;
}

/** The text format keeps an edited text from becoming a formula. Headings stand over their column: those of numbers to the right. */
function styleXml(look: Look, isText: boolean, format: number): string {
  const { font, fill, border } = LOOKS[look];
  const indent = look === 'title' ? '' : ' indent="1"';
  const side = isText || AT_LEFT.includes(look) ? `horizontal="left"${indent}` : 'horizontal="right"';
  const wrap = look === 'heading' || (isText && look !== 'title') ? ' wrapText="1"' : '';
  return (
    `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" ` +
    `applyFill="1" applyBorder="1" applyAlignment="1"><alignment ${side} vertical="top"${wrap}/></xf>`
  );
}

const font = (size: number, more = '') => `<font>${more}<sz val="${size}"/><name val="Calibri"/><family val="2"/></font>`;
const border = (edges = '<left/><right/><top/><bottom/>') => `<border>${edges}<diagonal/></border>`;
const edge = (side: string) => `<${side} style="thin"><color rgb="FF7A8FA6"/></${side}>`;
const list = (name: string, items: readonly string[]) => `<${name} count="${items.length}">${items.join('')}</${name}>`;
const formatXml = (code: string, index: number) => `<numFmt numFmtId="${FIRST_OWN_FORMAT + index}" formatCode="${code}"/>`;

const stylesXml = (formats: readonly string[], written: readonly string[]): string =>
  [
    `${XML}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`,
    list('numFmts', formats.map(formatXml)),
    list('fonts', [font(11), font(11, '<b/>'), font(16, '<b/>')]),
    list('fills', [
      '<fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill>',
      '<fill><patternFill patternType="solid"><fgColor rgb="FFE8EEF4"/><bgColor indexed="64"/></patternFill></fill>',
    ]),
    list('borders', [border(), border(`<left/><right/><top/>${edge('bottom')}`), border(`<left/><right/>${edge('top')}<bottom/>`)]),
    list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    list('cellXfs', written),
    list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    '</styleSheet>',
  ].join('');
