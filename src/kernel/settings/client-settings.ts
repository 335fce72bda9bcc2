import { isIP } from 'node:net';
import { isCidrOrAddress } from '../addresses.js';
import { byDefault } from './descriptions.js';
import { flag, list, oneOf } from './reader.js';

export const networkProblem = (item: string): string | undefined =>
  isCidrOrAddress(item) ? undefined : 'which is not an address or a CIDR';

export const hostProblem = (item: string): string | undefined =>
  isIP(item) !== 0 || /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(item)
    ? undefined
    : 'which is not a host in lower case, such as *.example.com';

/** Schemes that a browser reads itself: an answer sent there could run as a script, or stay in a file. */
const BROWSER_SCHEMES = [
  ...['http', 'https', 'ws', 'wss', 'ftp', 'file', 'filesystem', 'blob', 'about', 'view-source', 'jar', 'resource', 'chrome', 'intent'],
  ...['javascript', 'vbscript', 'livescript', 'mocha', 'data', 'mhtml', 'mailto', 'tel', 'sms'],
];

/** A scheme of an app on a device that need not be listed: a domain of its maker in reverse (RFC 8252, 7.1), such as `com.example.app`. */
export const isReverseDomain = (scheme: string): boolean =>
  /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/.test(scheme) && !BROWSER_SCHEMES.includes(scheme.split('.')[0]!);

function schemeProblem(item: string): string | undefined {
  if (!/^[a-z][a-z0-9+-]*$/.test(item)) return 'which is not a scheme in lower case, without a colon';
  return BROWSER_SCHEMES.includes(item) ? 'which browsers open themselves' : undefined;
}

const APP_SCHEMES: string[] = ['claude', 'cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed'];

/** The settings of applications that connect without being registered by the operator, and of the identity providers of organizations. */
export const CLIENT_SETTINGS = {
  clientDocuments: flag('OAUTH_CLIENT_DOCUMENTS', byDefault(true)),
  clientDocumentAllowedNetworks: list('OAUTH_CLIENT_DOCUMENT_NETWORKS', networkProblem, byDefault<string[]>([])),
  identityProviderAllowedNetworks: list('IDENTITY_PROVIDER_NETWORKS', networkProblem, byDefault<string[]>([])),
  clientRegistration: oneOf('OAUTH_REGISTRATION', ['true', 'used', 'false'], byDefault<'true' | 'used' | 'false'>('used')),
  assertionAudiences: oneOf('OAUTH_ASSERTION_AUDIENCES', ['issuer', 'endpoints'], byDefault<'issuer' | 'endpoints'>('issuer')),
  redirectSchemes: list('OAUTH_REDIRECT_SCHEMES', schemeProblem, byDefault(APP_SCHEMES, APP_SCHEMES.join(', '))),
} as const;
