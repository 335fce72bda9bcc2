/** What a spreadsheet takes for the beginning of a formula; some read the full-width and small forms alike. */
const SIGN = '[=+\\-@\\u2212＝＋－＠﹢﹣﹦﹫]';

const startsFormula = new RegExp(`^(?:[\\t\\r\\n]|[\\s\\p{C}]*${SIGN})`, 'u');

/** Where semicolons or tabs part the cells, as they do for many who open a CSV file by a double click, a formula may begin in the middle. */
const formulaWithin = new RegExp(`(?<=[;\\t\\r\\n])(?=(?:(?![\\t\\r\\n])[\\s\\p{C}])*${SIGN})`, 'gu');

/** A text that no spreadsheet runs: an apostrophe stands before what would be a formula. */
export function inert(text: string): string {
  const guarded = text.replace(formulaWithin, "'");
  return startsFormula.test(text) ? `'${guarded}` : guarded;
}
