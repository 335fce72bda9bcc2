import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

const underWay = new Map<string, Promise<LookupAddress[]>>();

/**
 * The addresses of a name. Each name is asked for once at a time: look-ups share a few threads, and one whose name servers
 * hang must not take them all, however many deliveries wait for it.
 */
export function lookUp(hostname: string): Promise<LookupAddress[]> {
  const known = underWay.get(hostname);
  if (known) return known;
  const asked = lookup(hostname, { all: true }).finally(() => underWay.delete(hostname));
  underWay.set(hostname, asked);
  return asked;
}
