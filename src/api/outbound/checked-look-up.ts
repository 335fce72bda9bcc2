import { isIP, type LookupFunction } from 'node:net';
import { isForbidden } from '../../kernel/forbidden-addresses.js';
import { hostOf, type LookUps } from './look-ups.js';

class TargetNotAllowed extends Error {
  readonly code = 'TARGET_NOT_ALLOWED';
}

/** For an IP address nothing is looked up, so `checkedLookUp` would not see it. */
export function requireAllowedHost(url: string, allowed: readonly string[]): void {
  const host = hostOf(url);
  if (isIP(host) && isForbidden(host, allowed)) throw new TargetNotAllowed();
}

/** For connections: the name is resolved once, all its addresses are checked, and the connection goes to one of these. */
export function checkedLookUp(lookUps: LookUps, owner: string, allowed: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    lookUps.findAddresses(hostname, owner).then(
      (addresses) => {
        if (addresses.length === 0 || addresses.some(({ address }) => isForbidden(address, allowed)))
          return callback(new TargetNotAllowed(), []);
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
