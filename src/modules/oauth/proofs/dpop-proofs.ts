import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import type { JWTVerifyResult, ResolvedKey } from 'jose';
import { createHash } from 'node:crypto';
import type { AsymmetricSigningAlgorithm } from 'oidc-provider';
import { type Bound, KeyProof, type ProofRefusal } from '../../../api/access/ports.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { Implements } from '../../../store/discovery/ports.js';
import { REDIS } from '../../../store/redis/redis.module.js';
import { ProofNonces } from './proof-nonces.js';

/** Of proofs that come with every call (RFC 9449): those that take little time to verify. Ed25519 has two names. */
export const DPOP_ALGORITHMS: AsymmetricSigningAlgorithm[] = ['ES256', 'Ed25519', 'EdDSA'];
/** Of assertions, with which applications authenticate (RFC 7523). */
export const ASSERTION_ALGORITHMS: AsymmetricSigningAlgorithm[] = [...DPOP_ALGORITHMS, 'PS256', 'RS256'];
/** Of the assertions of a FAPI 2.0 application. */
export const FAPI2_ALGORITHMS: readonly string[] = [...DPOP_ALGORITHMS, 'PS256'];
/** How many proofs one process remembers. With that many, it refuses further ones until some have expired. */
const PROOFS_MAX = 100_000;

/** The proofs of the last minutes: in Redis, which all replicas share; in the process without Redis, or while it is down. */
@Injectable()
export class ProofReplays {
  private readonly local = new LocalProofs();

  constructor(@Inject(REDIS) private readonly redis: Redis | null) {}

  async isFirst(id: string, ttlMs: number): Promise<boolean> {
    if (this.redis?.status === 'ready') {
      try {
        return (await this.redis.set(`claims:proof:${id}`, '1', 'PX', ttlMs, 'NX')) === 'OK';
      } catch {
        // As long as Redis is down, a proof can be used once on each replica.
      }
    }
    return this.local.isFirst(id, ttlMs);
  }
}

/** The proofs that one process has seen. All are kept for equally long, so those that expire first come first. */
export class LocalProofs {
  private readonly expiresAt = new Map<string, number>();

  constructor(
    private readonly max = PROOFS_MAX,
    private readonly now: () => number = () => performance.now(),
  ) {}

  isFirst(id: string, ttlMs: number): boolean {
    this.forgetExpired();
    if (this.expiresAt.has(id)) return false;
    if (this.expiresAt.size >= this.max) throw new Problem('unavailable', { headers: { 'Retry-After': '1' } });
    this.expiresAt.set(id, this.now() + ttlMs);
    return true;
  }

  private forgetExpired(): void {
    const now = this.now();
    for (const [id, at] of this.expiresAt) {
      if (at > now) return;
      this.expiresAt.delete(id);
    }
  }
}

/** How far the clock of a client may be off. A proof is remembered for as long as it could be used again. */
const WINDOW_MS = 60_000;
const JTI_MAX_LENGTH = 256;

type Proof = JWTVerifyResult & ResolvedKey;

/** Proofs that come with calls of the API and of `/mcp` (RFC 9449). oidc-provider checks those that come with token requests. */
@Implements(KeyProof)
export class DPoPProofs implements KeyProof {
  readonly algorithms = DPOP_ALGORITHMS;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly replays: ProofReplays,
    private readonly nonces: ProofNonces,
  ) {}

  nextNonce(): string {
    return this.nonces.next();
  }

  async findRefusal(request: FastifyRequest, token: string, bound: Bound): Promise<ProofRefusal | undefined> {
    const { dpop } = request.headers;
    if (typeof dpop !== 'string') return invalid('The header DPoP with a proof is missing.');
    const proof = await this.read(dpop);
    if (!proof) return invalid('The DPoP proof is not a JWT of type dpop+jwt, signed with the key in its header.');
    const { calculateJwkThumbprint } = await import('jose');
    if ((await calculateJwkThumbprint(proof.protectedHeader.jwk!)) !== bound.boundTo)
      return invalid('The DPoP proof is signed with another key than the one that the token is bound to.');
    const wrong = this.refusalOfClaims(proof, request, token);
    if (wrong !== undefined) return invalid(wrong);
    const lacksNonce = this.refusalOfNonce(proof, bound);
    if (lacksNonce !== undefined) return { error: 'use_dpop_nonce', detail: lacksNonce };
    const used = await this.refusalOfReplay(proof, bound.boundTo);
    return used === undefined ? undefined : invalid(used);
  }

  /** A nonce that was sent is checked, also where none is required. */
  private refusalOfNonce({ payload: { nonce } }: Proof, { needsNonce }: Bound): string | undefined {
    if (nonce === undefined) return needsNonce ? 'The DPoP proof needs a nonce: that of the header DPoP-Nonce.' : undefined;
    const isTaken = typeof nonce === 'string' && this.nonces.takes(nonce);
    return isTaken ? undefined : 'The nonce of the DPoP proof is old or unknown: use that of the header DPoP-Nonce.';
  }

  private async read(text: string): Promise<Proof | undefined> {
    const { EmbeddedJWK, jwtVerify } = await import('jose');
    const options = { algorithms: this.algorithms, typ: 'dpop+jwt', currentDate: this.clock.now() };
    return jwtVerify(text, EmbeddedJWK, options).catch(() => undefined);
  }

  private refusalOfClaims({ payload }: Proof, { method, url }: FastifyRequest, token: string): string | undefined {
    const { htm, htu, iat, jti, ath } = payload;
    if (htm !== method) return `The DPoP proof is for another method: htm must be ${method}.`;
    const address = this.settings.publicUrl + url.split('?')[0]!;
    if (typeof htu !== 'string' || targetOf(htu) !== targetOf(address)) return 'The DPoP proof is for another address: see htu.';
    if (typeof iat !== 'number' || Math.abs(this.clock.now().getTime() - iat * 1000) > WINDOW_MS)
      return `The DPoP proof is too old, or the clock of the client is wrong: iat may be ${WINDOW_MS / 1000} seconds off.`;
    if (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX_LENGTH)
      return `The DPoP proof needs a jti of 1 to ${JTI_MAX_LENGTH} characters.`;
    if (ath !== createHash('sha256').update(token).digest('base64url')) return 'The DPoP proof is for another token: see ath.';
    return undefined;
  }

  private async refusalOfReplay({ payload }: Proof, keyThumbprint: string): Promise<string | undefined> {
    const id = createHash('sha256').update(`${keyThumbprint} ${payload.jti}`).digest('base64url');
    const isFirst = await this.replays.isFirst(id, 2 * WINDOW_MS);
    return isFirst ? undefined : 'The DPoP proof was used before: each call needs a new one.';
  }
}

const invalid = (detail: string): ProofRefusal => ({ error: 'invalid_dpop_proof', detail });

/** The address without query and fragment, with the parts that can be spelled in several ways in their usual form. */
function targetOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.hash = '';
  url.search = '';
  return url.href;
}
