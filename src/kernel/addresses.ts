import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address with its prefix length. An IPv4-mapped IPv6 address becomes the IPv4 address. */
function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const [written = '', prefix, ...more] = text.split('/');
  // Node's check is stricter: ipaddr.js reads 010.0.0.1 as octal. A zone (%eth0) means nothing on another machine.
  if (more.length > 0 || isIP(written) === 0 || written.includes('%')) return undefined;
  const address = ipaddr.parse(written);
  const maxBits = address.kind() === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > maxBits)) return undefined;
  const bits = Number(prefix ?? maxBits);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

/** Who may have many addresses counts as one caller: an IPv6 address stands for its network of /64. */
export function callerOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address.split('%')[0]!);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Whether the text is an IPv4 or IPv6 address, or a CIDR, without shorthand such as `10.1` or `1.2.3.*`. */
export const isCidrOrAddress = (text: string): boolean => parseRange(text) !== undefined;

/** Whether an address is in one of the given addresses and CIDRs. An IPv4-mapped IPv6 address counts as the IPv4 address. */
export function isAddressIn(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return allowed.some((entry) => {
    const range = parseRange(entry);
    return range !== undefined && range[0].kind() === parsed.kind() && parsed.match(range);
  });
}

/** An IPv4 address that came as IPv6, as on a socket for both, becomes plain IPv4 again. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** Whether an operator lists a host, by its name or address, or by `*.example.com` for all below it. Without a list, all are allowed. */
export function isListedHost(host: string, listed: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return listed.length === 0 || listed.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one));
}

/** Global unicast. All other IPv6 addresses are special or wrap an IPv4 address (NAT64, 6to4, Teredo). */
const GLOBAL_IPV6 = '2000::/3';
/** Special blocks within global unicast, and prefixes that wrap IPv4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', '64:ff9b::/96', '64:ff9b:1::/48'];
/** Special blocks, some of which ipaddr.js reports as ordinary: 6to4 relays, and blocks for documentation, tests and protocols. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
];

/** No URL that a stranger chose may lead to what is not a public host. The address is in the form in which a connection is made. */
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
