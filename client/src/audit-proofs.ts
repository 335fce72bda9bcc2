// The same file verifies an event in the console: browsers and programs prove the same.
import { openCheckpoint, type ProofVerdict, verifyConsistency, verifyInclusion } from '../../public/verify-chain.js';
import { ClaimsError } from './errors.js';
import type { AuditEvent, AuditProof, AuditConsistency } from './generated-types.js';

/** A proof, or what it is about, is not what the service has signed. */
export class AuditProofError extends ClaimsError<'audit_proof'> {
  constructor(message: string) {
    super('audit_proof', message);
  }
}

/** What a checkpoint says: that the log named `origin` has `size` events, with this root (Base64) over them. */
export interface AuditCheckpointHead {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

function headOf(verdict: ProofVerdict): AuditCheckpointHead {
  if (verdict.fault !== null) throw new AuditProofError(verdict.fault);
  return verdict.head;
}

/**
 * What a signed checkpoint says. `keys`: those of the service, as a checkpoint or an operator gives them (`name+id+key`). Keep them from
 * the first time: a key that comes with the checkpoint itself shows only that both come from the same place.
 */
export const openAuditCheckpoint = async (note: string, keys: readonly string[]): Promise<AuditCheckpointHead> =>
  headOf(await openCheckpoint(note, keys));

/** Throws an `AuditProofError` unless the event is in the log of the checkpoint. Returns what the checkpoint says. */
export const verifyAuditProof = async (event: AuditEvent, proof: AuditProof, keys: readonly string[]): Promise<AuditCheckpointHead> =>
  headOf(await verifyInclusion(event, proof, keys));

/** Throws an `AuditProofError` unless the log of the newest checkpoint begins with that of an earlier one. Returns what the newest says. */
export const verifyAuditConsistency = async (
  earlier: string,
  proof: AuditConsistency,
  keys: readonly string[],
): Promise<AuditCheckpointHead> => headOf(await verifyConsistency(earlier, proof, keys));
