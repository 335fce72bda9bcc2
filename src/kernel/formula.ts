/** Characters that start a formula in a spreadsheet. Some spreadsheets accept the full-width and small forms. */
const SIGN = '[=+\\-@\\u2212＝＋－＠﹢﹣﹦﹫]';
const startsFormula = new RegExp(`^(?:[\\t\\r\\n]|[\\s\\p{C}]*${SIGN})`, 'u');
/** Many programs take semicolons or tabs as separators when they open a CSV file. Then a formula may start within a text. */
const formulaWithin = new RegExp(`(?<=[;\\t\\r\\n])(?=(?:(?![\\t\\r\\n])[\\s\\p{C}])*${SIGN})`, 'gu');

/** Puts an apostrophe before everything that a spreadsheet would take for a formula. */
export function withoutFormulas(text: string): string {
  const guarded = text.replace(formulaWithin, "'");
  return startsFormula.test(text) ? `'${guarded}` : guarded;
}
