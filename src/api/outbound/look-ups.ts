import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../kernel/bounded.js';
import { FairShare } from '../../kernel/fair-share.js';
import { isForbidden, isListedHost } from '../../kernel/addresses.js';
import { inTime } from '../../kernel/in-time.js';
import { Settings } from '../../kernel/settings/settings.js';

/** Look-ups of host names at once. They run on two of Node's four threads, whatever hangs there. */
const LOOK_UPS_PER_PROCESS = 2;
const LOOK_UPS_PER_OWNER = 1;
/** Look-ups of an owner that may wait, and for how long. */
const MAX_WAITING = 1000;
const MAX_WAIT_MS = 5000;
/** How long a call waits for DNS. A name that resolves later is checked when a connection is made. */
const PATIENCE_MS = 1000;
/** Names about which DNS is silent, and for a while those of owners whose look-up took long, share one thread. The rest has the other. */
const SLOW = 'slow';
const SLOW_FOR_MS = 600_000;

/** The host, an IPv6 address without its brackets. The URL parser has normalized other spellings of IP addresses. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** A URL, and the addresses that its host had when it was looked up; none if it did not resolve. */
export interface ResolvedTarget {
  readonly url: string;
  readonly addresses: readonly string[];
}

/**
 * Resolves host names for an owner, such as an organization. An owner whose names hang occupies its share of the threads, and leaves
 * the others to the rest.
 */
@Injectable()
export class LookUps {
  /** Concurrent look-ups of the same name share one. */
  private readonly pending = new Map<string, Promise<LookupAddress[]>>();
  private readonly slow = new LRUCache<string, true>({ ...atMost(MAX_WAITING), ttl: SLOW_FOR_MS });
  private readonly resolver = new Resolver({ timeout: PATIENCE_MS, tries: 1 });
  private readonly threads = new FairShare({
    what: 'Look-ups of host names',
    capacity: LOOK_UPS_PER_PROCESS,
    share: LOOK_UPS_PER_OWNER,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  constructor(@Optional() readonly settings?: Settings) {}

  /** All addresses of a name. Fails if it does not resolve. */
  async findAddresses(hostname: string, owner: string): Promise<LookupAddress[]> {
    return (await this.begin(hostname, (await this.isSilent(hostname)) ? SLOW : owner)).addresses;
  }

  /** The target with the addresses of its host, if the URL has one and DNS answers soon. */
  async resolve(url: string, owner: string): Promise<ResolvedTarget> {
    const host = URL.canParse(url) ? hostOf(url) : '';
    if (host === '' || isIP(host)) return { url, addresses: host === '' ? [] : [host] };
    const found = (await this.isSilent(host)) ? [] : (await this.begin(host, owner)).addresses;
    const resolved = await inTime(found, PATIENCE_MS, () => new Error('DNS is slow.')).catch(() => []);
    // These names mean this machine (RFC 6761) even if they do not resolve here.
    const isLocal = resolved.length === 0 && /(^|\.)localhost\.?$/.test(host);
    return { url, addresses: isLocal ? ['127.0.0.1'] : resolved.map(({ address }) => address) };
  }

  /** Returns when the look-up was started. Its thread stays occupied until it ends, whether or not somebody still waits for it. */
  private async begin(hostname: string, owner: string): Promise<{ addresses: Promise<LookupAddress[]> }> {
    const shared = this.pending.get(hostname);
    if (shared) return { addresses: shared };
    const giveBack = await this.threads.take(this.slow.has(owner) ? SLOW : owner);
    // Another may have started it meanwhile.
    const started = this.pending.get(hostname);
    if (started) {
      giveBack();
      return { addresses: started };
    }
    const begun = performance.now();
    const addresses = lookup(hostname, { all: true }).finally(() => {
      if (performance.now() - begun > PATIENCE_MS) this.slow.set(owner, true);
      this.pending.delete(hostname);
      giveBack();
    });
    this.pending.set(hostname, addresses);
    return { addresses };
  }

  /** Asks without a thread. The addresses come from the look-up all the same, which also knows names that DNS does not. */
  private async isSilent(hostname: string): Promise<boolean> {
    const asked = await Promise.allSettled([this.resolver.resolve4(hostname), this.resolver.resolve6(hostname)]);
    return asked.some((answer) => answer.status === 'rejected' && (answer.reason as NodeJS.ErrnoException).code === 'ETIMEOUT');
  }
}

class TargetNotAllowed extends Error {
  readonly code = 'TARGET_NOT_ALLOWED';
}

/** Whether the operator lets us call the host at all. For an IP address nothing is looked up, so `checkedLookUp` would not see it. */
export function requireAllowedHost(url: string, allowed: readonly string[], lookUps: LookUps): void {
  const host = hostOf(url);
  if (!isListedHost(host, lookUps.settings?.outboundHosts ?? []) || (isIP(host) && isForbidden(host, allowed)))
    throw new TargetNotAllowed();
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
