import { Injectable } from '@nestjs/common';
import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { Clock } from '../../../kernel/time.js';
import { Secrets } from '../../../store/secrets/secrets.js';

const STEP_MS = 60_000;
/** Minutes before and after the present one whose nonces are taken: with these, a client has three to four minutes. */
const TAKEN = [1, 0, -1, -2, 2];

/** What oidc-provider makes the nonces of its endpoints from, one for each encryption key in force. */
export const nonceSecrets = (secrets: Secrets): Buffer[] => secrets.keysFor('dpop nonces');

/**
 * Nonces of proofs (RFC 9449, 8 and 9), sealed by time: each replica knows those of all, and nothing is stored. They are made as
 * oidc-provider makes them, so that a client can use one nonce for the token endpoint and for the API, which have the same origin.
 */
@Injectable()
export class ProofNonces {
  private known: readonly Buffer[] | undefined;

  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  next(): string {
    return nonceOf(this.keys[0]!, this.step + 1).toString('base64url');
  }

  takes(nonce: string): boolean {
    const sent = Buffer.from(nonce, 'base64url');
    if (sent.length !== BYTES) return false;
    return this.keys.some((key) => TAKEN.some((minutes) => timingSafeEqual(sent, nonceOf(key, this.step + minutes))));
  }

  private get step(): number {
    return Math.floor(this.clock.now().getTime() / STEP_MS);
  }

  private get keys(): readonly Buffer[] {
    return (this.known ??= nonceSecrets(this.secrets));
  }
}

const BYTES = 32;

function nonceOf(key: Buffer, step: number): Buffer {
  const salt = Buffer.alloc(8);
  salt.writeBigInt64BE(BigInt(step));
  return Buffer.from(hkdfSync('sha256', key, salt, 'DPoP', BYTES));
}
