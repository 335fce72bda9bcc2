// @ts-check

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;

/**
 * Reads CSV with commas. Texts with commas, quotes or line breaks stand in quotes.
 *
 * @param {string} text
 * @returns {{ line: number, fields: string[] }[]} each row with the line where it begins
 */
export function rowsOf(text) {
  const content = text.replace(/^\ufeff/, '');
  /** @type {{ line: number, fields: string[] }[]} */
  const rows = [];
  /** @type {string[]} */
  let fields = [];
  let [line, nextLine, read] = [1, 1, 0];
  for (const [whole, quoted, plain = '', end] of content.matchAll(FIELD)) {
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    nextLine += whole.split('\n').length - 1;
    read += whole.length;
    if (end === ',') continue;
    // An empty line is no row.
    if (fields.length > 1 || fields[0] !== '') rows.push({ line, fields });
    fields = [];
    line = nextLine;
  }
  if (read < content.length) throw new SyntaxError(`Line ${nextLine} is not CSV: a quote is missing, or stands in a text without quotes.`);
  return rows;
}
