// The same file verifies the log in the console: browsers and programs find the same faults.
import { CHAIN_START, faultAtEnd, verifyChain } from '../../public/verify-chain.js';
import { ClaimsError } from './errors.js';
import type { AuditEvent } from './generated-types.js';

/** An end of the chain: the position and the hash of an event. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string;
}

export type ChainBreak = 'altered' | 'missing' | 'out_of_order' | 'unreadable';

/** The log is not the one that was written. `sequence` is the first place where it differs. */
export class AuditChainError extends ClaimsError<'audit_chain'> {
  constructor(
    readonly broken: ChainBreak,
    readonly sequence: number,
    message: string,
  ) {
    super('audit_chain', message);
  }
}

export interface ChainOptions {
  /** The rows continue behind this head, which an earlier check returned; by default they begin with the first event. */
  after?: AuditHead | undefined;
}

type Rows = AsyncIterable<AuditEvent | string> | Iterable<AuditEvent | string>;

/** `12:9f86…`, as the console and `claims audit verify` print it. */
function headOf(head: AuditHead | string): AuditHead {
  if (typeof head !== 'string') return head;
  const [, sequence, hash] = /^(\d+):([0-9a-f]{64})$/.exec(head) ?? [];
  if (!hash) throw new TypeError('A head is SEQUENCE:HASH.');
  return { sequence: Number(sequence), hash };
}

async function* eventsIn(rows: Rows, after: AuditHead): AsyncGenerator<AuditEvent> {
  let sequence = after.sequence;
  for await (const row of rows) {
    // The end of a file that was split into lines.
    if (row === '') continue;
    sequence += 1;
    yield typeof row === 'string' ? parsed(row, sequence) : row;
  }
}

function parsed(row: string, sequence: number): AuditEvent {
  try {
    return JSON.parse(row) as AuditEvent;
  } catch {
    throw new AuditChainError('unreadable', sequence, `Row ${sequence} is not JSON.`);
  }
}

/**
 * Recomputes the hash chain of an export of the audit log, made with a live credential, and returns its head. `rows`: the events,
 * or their lines of JSON, in order; one is held at a time. `head`: one that was kept elsewhere, which the log must contain.
 * Throws an `AuditChainError` that names the first event that is not as it was written.
 */
export async function verifyAuditChain(
  rows: Rows,
  head?: AuditHead | string,
  { after = CHAIN_START }: ChainOptions = {},
): Promise<AuditHead> {
  const known = head === undefined ? [] : [headOf(head)];
  const verdict = await verifyChain(eventsIn(rows, after), after, known);
  const fault = verdict.fault ?? (known.length > 0 ? faultAtEnd(known, verdict.head) : null) ?? atStart(known, after);
  if (fault) throw new AuditChainError(fault.kind, fault.sequence, fault.message);
  return verdict.head;
}

/** A known head may be the very one that the rows continue behind. */
function atStart(known: readonly AuditHead[], after: AuditHead) {
  if (known.every(({ sequence, hash }) => sequence !== after.sequence || hash === after.hash)) return null;
  return { kind: 'altered', sequence: after.sequence, message: `Row ${after.sequence} does not match the known head.` } as const;
}
