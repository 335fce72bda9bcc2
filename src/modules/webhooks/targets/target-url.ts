import { Problem } from '../../../kernel/problems.js';
import type { Environment } from '../../../kernel/context.js';
import { isForbidden } from '../../../kernel/forbidden-addresses.js';
import type { ResolvedTarget } from '../../../api/outbound/look-ups.js';

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

/** Refuses a URL that deliveries could not be sent to. A name that does not resolve yet is accepted: every connection checks it again. */
export function requireAllowedTarget({ url, addresses }: ResolvedTarget, environment: Environment, allowed: readonly string[]): void {
  const problem =
    syntaxError(url, environment) ??
    (addresses.some((address) => isForbidden(address, allowed)) ? 'resolves to an address that deliveries must not be sent to' : undefined);
  if (problem === undefined) return;
  throw new Problem('target_not_allowed', {
    detail: `targetUrl ${problem}.`,
    errors: [{ location: 'body', field: 'targetUrl', code: 'target_not_allowed', message: problem }],
  });
}
