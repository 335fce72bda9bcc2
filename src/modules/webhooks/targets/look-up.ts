import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

const pending = new Map<string, Promise<LookupAddress[]>>();

/**
 * Resolves a host name. Concurrent lookups of the same name share one: DNS lookups run on a few threads, and a name whose servers
 * hang must not occupy them all.
 */
export function lookUp(hostname: string): Promise<LookupAddress[]> {
  const shared = pending.get(hostname);
  if (shared) return shared;
  const started = lookup(hostname, { all: true }).finally(() => pending.delete(hostname));
  pending.set(hostname, started);
  return started;
}
