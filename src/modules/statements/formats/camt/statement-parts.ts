import { JobFailure } from '../../../../kernel/failure.js';

/** A piece of a statement: an entry, what is between entries (account, balances), or its end. */
export type StatementPart = { readonly kind: 'entry' | 'about'; readonly xml: string } | { readonly kind: 'start' | 'end' };

/** The depth of each nested element: of CAMT.053, CAMT.052 and CAMT.054, which differ in their names. */
const DEPTHS: Readonly<Record<string, number>> = {
  BkToCstmrStmt: 1,
  BkToCstmrAcctRpt: 1,
  BkToCstmrDbtCdtNtfctn: 1,
  Stmt: 2,
  Rpt: 2,
  Ntfctn: 2,
  Ntry: 3,
};
const TAG = new RegExp(`<(/?)(?:[\\w.-]+:)?(${Object.keys(DEPTHS).join('|')})(?:\\s[^<>]*)?>`, 'g');
const IN_STATEMENT = 2;
const IN_ENTRY = 3;
/** Enough for a batch booking of several thousand payments. A larger entry would take too much memory. */
const MAX_PART = 4 * 1024 * 1024;

/** Splits the document at the start and end of entries, so that only one of them is in memory. */
export async function* partsOf(pieces: AsyncIterable<string>): AsyncGenerator<StatementPart> {
  const cutter = new Cutter();
  for await (const piece of pieces) yield* cutter.take(piece);
  cutter.finish();
}

class Cutter {
  private depth = 0;
  private held: string[] = [];
  private heldLength = 0;
  private statements = 0;

  *take(piece: string): Generator<StatementPart> {
    let from = 0;
    for (const tag of piece.matchAll(TAG)) {
      this.hold(piece.slice(from, tag.index));
      from = tag.index + tag[0].length;
      yield* this.cross(DEPTHS[tag[2]!]!, tag[1] === '/');
    }
    this.hold(piece.slice(from));
  }

  finish(): void {
    if (this.depth > 0) throw new JobFailure('incomplete_file', 'The file is incomplete: it ends within a statement.');
    if (this.statements === 0) throw new JobFailure('statement_missing', 'The file has no statement (Stmt, Rpt or Ntfctn).');
  }

  private *cross(depth: number, isClosing: boolean): Generator<StatementPart> {
    const [before, after] = isClosing ? [depth, depth - 1] : [depth - 1, depth];
    if (this.depth !== before)
      throw new JobFailure('invalid_markup', 'The statements and entries (such as Stmt, Ntry) of the file are not nested correctly.');
    const xml = this.release();
    if (before === IN_ENTRY) yield { kind: 'entry', xml };
    else if (xml.trim()) yield { kind: 'about', xml };
    if (depth === IN_STATEMENT) yield { kind: isClosing ? 'end' : 'start' };
    if (depth === IN_STATEMENT && isClosing) this.statements += 1;
    this.depth = after;
  }

  private hold(xml: string): void {
    if (this.depth < IN_STATEMENT) return;
    this.held.push(xml);
    this.heldLength += xml.length;
    if (this.heldLength > MAX_PART) throw new JobFailure('entry_too_large', 'The file has an entry that is too large.');
  }

  private release(): string {
    const xml = this.held.join('');
    this.held = [];
    this.heldLength = 0;
    return xml;
  }
}
