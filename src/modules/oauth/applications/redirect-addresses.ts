import type { Environment } from '../../../kernel/context.js';
import { isReverseDomain } from '../../../kernel/settings/client-settings.js';

const MAX_LENGTH = 2048;
export const REDIRECTS_MAX = 20;
/** Hosts of the user's own machine. RFC 8252 prefers the addresses to `localhost`, but most clients use `localhost`. */
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** A loopback address in two parts: before and after the port. */
const LOOPBACK_ADDRESS = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;

export interface RedirectRules {
  readonly isPublic: boolean;
  readonly environment: Environment;
  readonly schemes: readonly string[];
}

/** What is wrong with a redirect address, to follow its name in a sentence; undefined if nothing is. */
export function redirectProblem(address: string, { isPublic, environment, schemes }: RedirectRules): string | undefined {
  // The URL parser would ignore white space.
  if (address.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(address) || !URL.canParse(address))
    return `is not a valid URL of at most ${MAX_LENGTH} characters`;
  const { protocol, hostname, username, password } = new URL(address);
  // Also an empty fragment, which the URL parser does not show.
  if (address.includes('#') || username !== '' || password !== '') return 'must not have a fragment or credentials';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:')
    return LOOPBACK.includes(hostname) || environment === 'test'
      ? undefined
      : 'must be https. http is allowed for localhost and for test applications';
  const scheme = protocol.slice(0, -1);
  if (!isReverseDomain(scheme) && !schemes.includes(scheme))
    return 'must be https, or have a scheme that is a domain in reverse (com.example.app) or one that this service lists';
  return isPublic ? undefined : 'has a scheme of an app on a device, which only public applications can have';
}

/** Whether an answer may be sent to this address. Apps on a machine listen on whatever port is free (RFC 8252), all else must be equal. */
export function isRegisteredRedirect(address: string, registered: readonly string[]): boolean {
  if (registered.includes(address)) return true;
  const wanted = withoutPort(address);
  return wanted !== undefined && URL.canParse(address) && registered.some((other) => withoutPort(other) === wanted);
}

/** Whether only an app on the user's device can receive an answer there. */
export const isAppScheme = (address: string): boolean => !/^https?:/.test(address);

function withoutPort(address: string): string | undefined {
  const [, host, rest] = LOOPBACK_ADDRESS.exec(address) ?? [];
  return host === undefined ? undefined : host + rest!;
}

export function destinationOf(address: string): string {
  const { origin, protocol, host } = new URL(address);
  if (isAppScheme(address)) return `an app on this device (${protocol}//${host})`;
  return LOOPBACK_ADDRESS.test(address) ? `an app on this computer (${origin})` : origin;
}
