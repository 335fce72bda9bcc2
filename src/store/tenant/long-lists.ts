import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../kernel/context.js';

/** Replicas do not tell each other of their changes, so a count is trusted for this long only. */
const TTL_MS = 10_000;
const MAX_TENANTS = 1000;
const MAX_LISTS_PER_TENANT = 100;

/**
 * The lists, by filters and search, that have more rows than are counted. Whoever pages through one does not wait for the same
 * 10,000 rows to be counted again. A new row makes no such count wrong. A changed or deleted row may have been the one too
 * many, so it clears the tenant's lists.
 */
export class LongLists {
  private readonly tenants = new LRUCache<string, LRUCache<string, true>>({ max: MAX_TENANTS });

  has(tenant: Tenant, list: string): boolean {
    return this.tenants.get(keyOf(tenant))?.has(list) ?? false;
  }

  add(tenant: Tenant, list: string): void {
    const key = keyOf(tenant);
    const lists = this.tenants.get(key) ?? new LRUCache<string, true>({ max: MAX_LISTS_PER_TENANT, ttl: TTL_MS });
    lists.set(list, true);
    this.tenants.set(key, lists);
  }

  clear(tenant: Tenant): void {
    this.tenants.delete(keyOf(tenant));
  }
}

const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;
