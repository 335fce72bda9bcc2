import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isAddressIn } from '../../../kernel/addresses.js';

/** IPv6 that leads to hosts on the Internet by itself; all else is special, or wraps an IPv4 address (NAT64, 6to4, Teredo). */
const GLOBAL_IPV6 = '2000::/3';
const NOT_GLOBAL_AFTER_ALL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', '64:ff9b::/96', '64:ff9b:1::/48'];
/** What ipaddr.js takes for ordinary, and is not: relays of 6to4, and blocks for tests and protocols. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/**
 * Whether a delivery must not go to the address: it is of our own network, of the machine itself, or of nobody. The address is
 * in the form in which a connection is made to it, not as somebody has spelt it.
 */
export function isForbidden(address: string, allowed: readonly string[]): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  // Node is strict where ipaddr.js reads 1.2.3 as an address; a zone names an interface of this machine.
  if (isIP(bare) === 0 || bare.includes('%')) return true;
  if (isAddressIn(bare, allowed)) return false;
  const parsed = ipaddr.parse(bare);
  // Mapped and other wrapped forms of IPv4 are refused whatever they wrap: nobody needs them for a target.
  if (parsed.range() !== 'unicast') return true;
  if (parsed.kind() === 'ipv4') return isAddressIn(bare, SPECIAL_IPV4);
  return !isAddressIn(bare, [GLOBAL_IPV6]) || isAddressIn(bare, NOT_GLOBAL_AFTER_ALL);
}
