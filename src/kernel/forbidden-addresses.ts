import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isAddressIn } from './addresses.js';

/** Global unicast. All other IPv6 addresses are special or wrap an IPv4 address (NAT64, 6to4, Teredo). */
const GLOBAL_IPV6 = '2000::/3';
/** Special blocks within global unicast, and prefixes that wrap IPv4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', '64:ff9b::/96', '64:ff9b:1::/48'];
/** Special blocks, some of which ipaddr.js reports as ordinary: 6to4 relays, and blocks for documentation, tests and protocols. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
];

/**
 * Whether requests to URLs that strangers chose must not be sent to an IP address: it belongs to this machine or to a private network, or
 * is not a public host at all. The address must be in the normal form in which a connection is made.
 */
export function isForbidden(address: string, allowed: readonly string[]): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  // ipaddr.js would accept 1.2.3 as an address, Node does not. A zone (%eth0) names an interface of this machine.
  if (isIP(bare) === 0 || bare.includes('%')) return true;
  if (isAddressIn(bare, allowed)) return false;
  const parsed = ipaddr.parse(bare);
  // IPv6 addresses that wrap an IPv4 address are refused whatever they wrap: no target needs them.
  if (parsed.range() !== 'unicast') return true;
  if (parsed.kind() === 'ipv4') return isAddressIn(bare, SPECIAL_IPV4);
  return !isAddressIn(bare, [GLOBAL_IPV6]) || isAddressIn(bare, SPECIAL_IPV6);
}
