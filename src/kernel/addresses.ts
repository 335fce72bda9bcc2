import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** An address and how many of its bits count; a mapped IPv4 is the IPv4 it is. */
function parseRange(text: string): Range | undefined {
  const [written = '', prefix, ...more] = text.split('/');
  // Node is strict where ipaddr.js would read 010.0.0.1 as octal; a zone means nothing on another machine.
  if (more.length > 0 || isIP(written) === 0 || written.includes('%')) return undefined;
  const address = ipaddr.parse(written);
  const most = address.kind() === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > most)) return undefined;
  const bits = Number(prefix ?? most);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

/** Whether the text is an IPv4 or IPv6 address, or a CIDR, in the usual full form. */
export function isCidrOrAddress(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** Whether an address is in one of the given addresses and CIDRs; a mapped IPv4 counts as the IPv4 it is. */
export function isAddressIn(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return allowed.some((entry) => {
    const range = parseRange(entry);
    return range !== undefined && range[0].kind() === parsed.kind() && parsed.match(range);
  });
}
