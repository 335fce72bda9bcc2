import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** An address with its prefix length. An IPv4-mapped IPv6 address becomes the IPv4 address. */
function parseRange(text: string): Range | undefined {
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
export function isCidrOrAddress(text: string): boolean {
  return parseRange(text) !== undefined;
}

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
