import type { Tenant } from '../../kernel/context.js';

/** How long a count may be believed: replicas do not tell each other of their changes. */
const BELIEVED_FOR_MS = 10_000;
/** So many tenants are remembered; with more, all are forgotten. */
const TENANTS = 1000;
/** So many lists of one tenant. */
const LISTS = 100;

/**
 * The lists, by their filters and search, that were found to be longer than is counted. Who pages through one, or asks again,
 * need not wait for the same 10,000 to be counted again. A row that is new makes no such count wrong; one that is changed or
 * taken out may be the one that was too many, so it forgets the tenant's.
 */
export class AmpleCounts {
  private readonly tenants = new Map<string, Map<string, number>>();

  has(tenant: Tenant, list: string): boolean {
    return (this.tenants.get(keyOf(tenant))?.get(list) ?? -Infinity) > performance.now();
  }

  add(tenant: Tenant, list: string): void {
    const key = keyOf(tenant);
    if (!this.tenants.has(key) && this.tenants.size >= TENANTS) this.tenants.clear();
    const lists = this.tenants.get(key) ?? new Map<string, number>();
    if (lists.size >= LISTS) lists.clear();
    this.tenants.set(key, lists.set(list, performance.now() + BELIEVED_FOR_MS));
  }

  forget(tenant: Tenant): void {
    this.tenants.delete(keyOf(tenant));
  }
}

const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;
