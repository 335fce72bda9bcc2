/**
 * A row of an exported audit log, as `GET /v1/audit/events` returns it. The hash covers all its members, those in `commitments` by these.
 */
export interface ChainedRow {
  readonly id: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
  readonly commitments?: object;
  readonly salts?: object;
}

export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export interface ChainFault {
  /** The first sequence at which the log differs from what was sealed. */
  readonly sequence: number;
  readonly id: string | null;
  readonly kind: 'altered' | 'missing' | 'out_of_order';
  readonly message: string;
}

export interface ChainVerdict {
  /** How many rows are valid. */
  readonly rows: number;
  readonly head: ChainHead;
  readonly fault: ChainFault | null;
}

export const CHAIN_START: ChainHead;
export function verifyChain(
  rows: Iterable<ChainedRow> | AsyncIterable<ChainedRow>,
  after?: ChainHead,
  known?: readonly ChainHead[],
): Promise<ChainVerdict>;
export function faultAtEnd(known: readonly ChainHead[], last: ChainHead): ChainFault | null;
export function hashOfRow(row: Omit<ChainedRow, 'hash'> & { readonly hash?: string }): Promise<string>;

/** What a checkpoint says: that the log named `origin` has `size` events, with this root (Base64) over them. */
export interface CheckpointHead {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}
/** A proof as the API returns it. */
export interface ProofHashes {
  readonly hashes: string;
  readonly checkpoint: { readonly note: string };
}
export type ProofVerdict = { readonly fault: string } | { readonly fault: null; readonly head: CheckpointHead };

export function openCheckpoint(note: string, keys: readonly string[]): Promise<ProofVerdict>;
export function verifyInclusion(event: ChainedRow, proof: ProofHashes, keys: readonly string[]): Promise<ProofVerdict>;
export function verifyConsistency(earlier: string, proof: ProofHashes, keys: readonly string[]): Promise<ProofVerdict>;
