import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Problem } from '../../../kernel/problems.js';
import { REDIS } from '../../../store/redis/redis.module.js';

/** How many proofs one process remembers. With that many, it refuses further ones until some have expired. */
export const PROOFS_MAX = 100_000;

/** The proofs of the last minutes: in Redis, which all replicas share; in the process without Redis, or while it is down. */
@Injectable()
export class ProofReplays {
  private readonly local = new LocalProofs();

  constructor(@Inject(REDIS) private readonly redis: Redis | null) {}

  /** Whether a proof is used for the first time. It is remembered for `ttlMs`. */
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
