import { isCidrOrAddress } from '../addresses.js';
import { flag, list } from './reader.js';

export const networkProblem = (item: string): string | undefined =>
  isCidrOrAddress(item) ? undefined : 'which is not an address or a CIDR';

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

/** The settings of applications that connect without being registered by the operator, and of the identity providers of organizations. */
export const CLIENT_SETTINGS = {
  clientDocuments: flag('OAUTH_CLIENT_DOCUMENTS', {
    fallback: true,
    about: 'Whether the URL of a metadata document is accepted as client id (Client ID Metadata Documents): true or false.',
  }),
  clientDocumentAllowedNetworks: list('OAUTH_CLIENT_DOCUMENT_NETWORKS', networkProblem, {
    fallback: [],
    about:
      'Private networks (addresses or CIDRs, separated by commas) that metadata documents may come from, also by http. ' +
      'For development.',
  }),
  identityProviderAllowedNetworks: list('IDENTITY_PROVIDER_NETWORKS', networkProblem, {
    fallback: [],
    about:
      'Private networks (addresses or CIDRs, separated by commas) that identity providers of organizations may be in. An address in ' +
      'them may be used by http, for development.',
  }),
  clientRegistration: flag('OAUTH_REGISTRATION', {
    fallback: true,
    about: 'Whether applications can register themselves (RFC 7591), for clients that have no metadata document: true or false.',
  }),
  redirectSchemes: list('OAUTH_REDIRECT_SCHEMES', schemeProblem, {
    fallback: ['claude', 'cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed'],
    shown: 'claude, cursor, vscode, vscode-insiders, vscodium, windsurf, zed',
    about:
      "Schemes that redirect addresses of apps on the user's device may have, separated by commas, such as cursor for cursor://callback. " +
      'Schemes that are a domain in reverse, such as com.example.app, need not be listed.',
  }),
} as const;
