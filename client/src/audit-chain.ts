import { ClaimsError } from './errors.js';
import type { AuditEvent } from './generated.js';

/** An end of the chain: the position and the hash of an event. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string;
}

export type ChainBreak = 'sequence' | 'previous_hash' | 'hash' | 'row' | 'head';

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

const START: AuditHead = { sequence: 0, hash: '0'.repeat(64) };
const utf8 = new TextEncoder();

/** JSON in its one form (RFC 8785). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `12:9f86…`, as the console and `claims audit verify` print it. */
function headOf(head: AuditHead | string): AuditHead {
  if (typeof head !== 'string') return head;
  const [, sequence, hash] = /^(\d+):([0-9a-f]{64})$/.exec(head) ?? [];
  if (!hash) throw new TypeError('A head is SEQUENCE:HASH.');
  return { sequence: Number(sequence), hash };
}

function eventOf(row: AuditEvent | string, sequence: number): AuditEvent {
  if (typeof row !== 'string') return row;
  try {
    return JSON.parse(row) as AuditEvent;
  } catch {
    throw new AuditChainError('row', sequence, `The row at sequence ${sequence} is not JSON.`);
  }
}

async function checked(row: AuditEvent | string, previous: AuditHead): Promise<AuditHead> {
  const sequence = previous.sequence + 1;
  const { hash, ...event } = eventOf(row, sequence);
  const fail = (broken: ChainBreak, message: string): AuditChainError => new AuditChainError(broken, sequence, message);
  if (event.sequence !== sequence) throw fail('sequence', `Sequence ${sequence} was expected, and ${event.sequence} follows.`);
  if (event.previousHash !== previous.hash) throw fail('previous_hash', `The event ${sequence} does not follow the one before.`);
  if ((await sha256(event.previousHash + canonical(event))) !== hash) throw fail('hash', `The event ${sequence} was changed.`);
  return { sequence, hash };
}

/**
 * Recomputes the hash chain of an export of the audit log, made with a live credential, and returns its head. `rows`: the events,
 * or their lines of JSON, in order; one is held at a time. `head`: one that was kept elsewhere, which the log must contain.
 * Throws an `AuditChainError` that names the first event that is not as it was written.
 */
export async function verifyAuditChain(
  rows: AsyncIterable<AuditEvent | string> | Iterable<AuditEvent | string>,
  head?: AuditHead | string,
  { after = START }: ChainOptions = {},
): Promise<AuditHead> {
  const wanted = head === undefined ? undefined : headOf(head);
  let last = after;
  const compare = (): void => {
    if (wanted?.sequence === last.sequence && wanted.hash !== last.hash)
      throw new AuditChainError('head', last.sequence, `The event ${last.sequence} is not the one that the head was taken from.`);
  };
  compare();
  for await (const row of rows) {
    // The end of a file that was split into lines.
    if (row === '') continue;
    last = await checked(row, last);
    compare();
  }
  if (wanted && wanted.sequence > last.sequence)
    throw new AuditChainError('head', last.sequence + 1, `The log ends at ${last.sequence}, before its head ${wanted.sequence}.`);
  return last;
}
