import { JobFailure } from '../../../../kernel/failure.js';
import { invalidLine, type NumberedLine } from '../records/numbered-lines.js';

/** A record with the lines 88 that continue it. */
export interface LogicalRecord {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly line: number;
  /** How many lines it has, as control totals count them. */
  readonly lines: number;
}

/** How long a record may be with its continuations. */
const MAX_RECORD = 100_000;

export class LogicalRecords {
  private begun: { readonly kind: string; readonly line: number; content: string; lines: number; isClosed: boolean } | null = null;

  /** The record that a line ends by beginning another. */
  take({ text, number }: NumberedLine): LogicalRecord[] {
    const [, kind = '', rest = ''] = /^\s*(\d\d)\s*(?:,(.*?))?\s*$/.exec(text) ?? [];
    if (!kind) throw invalidLine(number, 'does not begin with the number of a record');
    const isClosed = rest.endsWith('/');
    const content = isClosed ? rest.slice(0, -1) : rest;
    if (kind !== '88') {
      const before = this.finish();
      this.begun = { kind, line: number, content, lines: 1, isClosed };
      return before;
    }
    if (!this.begun) throw invalidLine(number, 'continues a record that is not there');
    // Without a slash, a text goes on.
    this.begun.content += `${this.begun.isClosed ? ',' : ' '}${content}`;
    this.begun.lines += 1;
    this.begun.isClosed = isClosed;
    if (this.begun.content.length > MAX_RECORD)
      throw new JobFailure('entry_too_large', `The record in line ${this.begun.line} is too long.`);
    return [];
  }

  finish(): LogicalRecord[] {
    if (!this.begun) return [];
    const { content, isClosed: _isClosed, ...record } = this.begun;
    this.begun = null;
    return [{ ...record, fields: content.split(',') }];
  }
}

/** The kinds of availability of an amount, with how many fields follow. `D` has a count of pairs after it. */
const FUNDS: Readonly<Record<string, number>> = { '': 0, Z: 0, '0': 0, '1': 0, '2': 0, S: 3, V: 2 };

/** Where the fields after a kind of availability begin; null if there is no such kind. */
export function afterFunds(fields: readonly string[], index: number): number | null {
  const kind = (fields[index] ?? '').trim().toUpperCase();
  if (kind === 'D') return /^\d{1,3}$/.test(fields[index + 1]?.trim() ?? '') ? index + 2 + 2 * Number(fields[index + 1]) : null;
  const following = FUNDS[kind];
  return following === undefined ? null : index + 1 + following;
}
