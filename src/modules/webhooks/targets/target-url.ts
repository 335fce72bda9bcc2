import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../kernel/problems.js';
import type { Environment } from '../../../kernel/context.js';
import { isForbidden } from './forbidden-addresses.js';
import { lookUp } from './look-up.js';

/** What stands against the address as it is written; undefined when nothing does. */
function complaint(target: string, environment: Environment): string | undefined {
  // URL is generous: it would overlook white space, and take addresses without slashes.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s\\]+$/i.test(target) || !URL.canParse(target))
    return 'must be an address such as https://hooks.example.com/claims';
  const { protocol, username, password, hostname } = new URL(target);
  if (protocol !== 'https:' && (protocol !== 'http:' || environment === 'live'))
    return environment === 'live' ? 'must begin with https:// where deliveries are live' : 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not hold a user name or password';
  return hostname === '' ? 'must name a host' : undefined;
}

/** The host without the brackets of an IPv6 address. URL has brought other spellings of addresses into the usual form. */
export const hostOf = (target: string): string => new URL(target).hostname.replace(/^\[|\]$/g, '');

/** Refuses a target to which deliveries could not go anyway. A name that does not resolve yet is taken: it is looked at again with each connection. */
export async function requireAllowedTarget(target: string, environment: Environment, allowed: readonly string[]): Promise<void> {
  const found = complaint(target, environment) ?? (await addressComplaint(hostOf(target), allowed));
  if (found === undefined) return;
  throw new Problem('target_not_allowed', {
    detail: `targetUrl ${found}.`,
    errors: [{ location: 'body', field: 'targetUrl', code: 'target_not_allowed', message: found }],
  });
}

/** A transaction is open while we ask. Who answers later is looked at when a connection is made. */
const PATIENCE_MS = 1000;

async function addressComplaint(host: string, allowed: readonly string[]): Promise<string | undefined> {
  const patience = new AbortController();
  const resolved = isIP(host) ? [{ address: host }] : await Promise.race([lookUp(host).catch(() => []), delay(PATIENCE_MS, [], patience)]);
  patience.abort();
  // These names mean this machine (RFC 6761), also where nobody answers for them today.
  const addresses = resolved.length === 0 && /(^|\.)localhost\.?$/.test(host) ? ['127.0.0.1'] : resolved.map(({ address }) => address);
  return addresses.some((address) => isForbidden(address, allowed)) ? 'leads to an address that deliveries must not go to' : undefined;
}
