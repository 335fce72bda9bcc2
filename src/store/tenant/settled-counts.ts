import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../kernel/context.js';
import { firstIdOf } from '../../kernel/ids.js';

/**
 * A record has its id before its commit, and perhaps from a machine whose clock is behind. Below an id that is older than this,
 * nothing is added any more.
 */
const SETTLED_AFTER_MS = 2 * 60 * 60 * 1000;
/** How long a count outlives its records, if the organization is erased or the database is restored to an earlier time. */
const TTL_MS = 10 * 60 * 1000;
const MAX_TENANTS = 10_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** How many records a tenant has below an id. */
export interface SettledCount {
  readonly count: number;
  readonly below: string;
}

/** For each tenant, the records that are too old for their number to change, if records of this kind are never deleted. */
export class SettledCounts {
  private readonly tenants = new LRUCache<string, SettledCount>({ max: MAX_TENANTS, ttl: TTL_MS });

  get({ organizationId, environment }: Tenant): SettledCount {
    return this.tenants.get(`${organizationId} ${environment}`) ?? { count: 0, below: NIL };
  }

  set({ organizationId, environment }: Tenant, settled: SettledCount): void {
    this.tenants.set(`${organizationId} ${environment}`, settled);
  }

  /** The id below which the number of records no longer changes, as of now. */
  static below(): string {
    return firstIdOf(new Date(Date.now() - SETTLED_AFTER_MS));
  }
}
