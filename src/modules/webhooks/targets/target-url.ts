import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../kernel/problems.js';
import type { Environment } from '../../../kernel/context.js';
import { isForbidden } from './forbidden-addresses.js';
import { lookUp } from './look-up.js';

/** What is wrong with the URL as text; undefined when nothing is. */
function syntaxError(target: string, environment: Environment): string | undefined {
  // The URL parser ignores white space and accepts URLs without slashes.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s\\]+$/i.test(target) || !URL.canParse(target))
    return 'must be a URL such as https://hooks.example.com/claims';
  const { protocol, username, password, hostname } = new URL(target);
  if (protocol !== 'https:' && (protocol !== 'http:' || environment === 'live'))
    return environment === 'live' ? 'must begin with https:// for live endpoints' : 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  return hostname === '' ? 'must name a host' : undefined;
}

/** The host, an IPv6 address without its brackets. The URL parser has normalized other spellings of IP addresses. */
export const hostOf = (target: string): string => new URL(target).hostname.replace(/^\[|\]$/g, '');

/** Refuses a URL that deliveries could not be sent to. A name that does not resolve yet is accepted: every connection checks it again. */
export async function requireAllowedTarget(target: string, environment: Environment, allowed: readonly string[]): Promise<void> {
  const problem = syntaxError(target, environment) ?? (await addressError(hostOf(target), allowed));
  if (problem === undefined) return;
  throw new Problem('target_not_allowed', {
    detail: `targetUrl ${problem}.`,
    errors: [{ location: 'body', field: 'targetUrl', code: 'target_not_allowed', message: problem }],
  });
}

/** How long to wait for DNS, since a transaction is open. A name that resolves later is checked when a connection is made. */
const DNS_TIMEOUT_MS = 1000;

async function addressError(host: string, allowed: readonly string[]): Promise<string | undefined> {
  const timer = new AbortController();
  const resolved = isIP(host) ? [{ address: host }] : await Promise.race([lookUp(host).catch(() => []), delay(DNS_TIMEOUT_MS, [], timer)]);
  timer.abort();
  // These names mean this machine (RFC 6761) even if they do not resolve here.
  const addresses = resolved.length === 0 && /(^|\.)localhost\.?$/.test(host) ? ['127.0.0.1'] : resolved.map(({ address }) => address);
  return addresses.some((address) => isForbidden(address, allowed))
    ? 'resolves to an address that deliveries must not be sent to'
    : undefined;
}
