/** Quoted text, quoted names, function bodies and comments as wholes, and everything else in pieces. */
const PIECES =
  /\b[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|\s+|[\s\S]/g;

/** Splits at each `mark` that is neither quoted nor in parentheses. Comments are left out, and white space is one space. */
function splitAt(mark: ';' | ',', sql: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [piece] of sql.matchAll(PIECES)) {
    if (piece.startsWith('--') || piece.startsWith('/*')) continue;
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    const isSpace = piece.trim() === '';
    if (piece === mark && depth === 0) parts.push('');
    else if (!isSpace || !parts.at(-1)!.endsWith(' ')) parts[parts.length - 1] += isSpace ? ' ' : piece;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

export const splitStatements = (sql: string): string[] => splitAt(';', sql);

/** The actions of an ALTER TABLE, or the columns of a list. */
export const splitList = (list: string): string[] => splitAt(',', list);

/** The statement without its texts and function bodies, for rules that look for words. */
export const withoutTexts = (sql: string): string => sql.replaceAll(PIECES, (piece) => (/^(?:[eE]?'|\$\w*\$)/.test(piece) ? "''" : piece));

/** A name as the database has it: without its schema and its quotes. */
export const plainName = (name: string): string => name.split('.').at(-1)!.replaceAll('"', '').toLowerCase();
