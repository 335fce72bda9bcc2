import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { idAt } from '../../../kernel/ids.js';
import { ITEMS_STATEMENT, type RunLine } from '../engine/inputs.js';
import type { DecidableLine } from '../engine/line-accumulator.js';

/** Of a run with more lines, none is listed: their rows would be more than anybody looks through. */
export const MOST_LISTED = 200_000;
const LINES_PER_PART = 2000;

/** A line as it is stored. Its texts are in the line of the statement. */
export interface ListedLine
  extends Omit<DecidableLine, 'line'>, Pick<RunLine, 'statementId' | 'lineNumber' | 'bookedOn' | 'amount' | 'currency' | 'fingerprint'> {}

/** Lines as JSON in compressed parts, each with its ids; null for too many. */
export type PackedLines = readonly Uint8Array[] | null;

/** Collects the lines of a run. The first one gets the greatest id, so that a list, which begins with that, is in their order. */
export class ListedLines {
  private readonly parts: Uint8Array[] = [];
  private part: ListedLine[] = [];
  private length = 0;

  push({ line, ...decided }: DecidableLine): void {
    // What an item is claimed for is changed at the item.
    if (line.statementId === ITEMS_STATEMENT) return;
    this.length += 1;
    if (this.length > MOST_LISTED) return;
    const { statementId, lineNumber, bookedOn, amount, currency, fingerprint } = line;
    this.part.push({ statementId, lineNumber, bookedOn, amount, currency, fingerprint, ...decided });
    if (this.part.length === LINES_PER_PART) this.pack();
  }

  finish(): PackedLines {
    if (this.length > MOST_LISTED) return null;
    this.pack();
    return this.parts;
  }

  private pack(): void {
    // A copy, because zlib returns a part of a larger buffer.
    this.parts.push(Uint8Array.from(deflateRawSync(JSON.stringify(this.part), { level: 1 })));
    this.part = [];
  }
}

/** The lines of each part, with their ids. */
export function* unpacked(parts: readonly Uint8Array[], at: string): Iterable<readonly (ListedLine & { readonly id: string })[]> {
  let number = MOST_LISTED;
  for (const part of parts) {
    const lines = JSON.parse(inflateRawSync(part).toString()) as ListedLine[];
    yield lines.map((line) => ({ id: idAt(at, (number -= 1)), ...line }));
  }
}
