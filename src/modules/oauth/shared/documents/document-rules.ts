import { isAddressIn } from '../../../../kernel/addresses.js';
import { hostOf } from '../../../../api/outbound/look-ups.js';
import { ClientMetadataRefused, readClientMetadata, type SharedClient } from '../shared-client.js';

const URL_MAX_LENGTH = 1000;

/** Whether a client id is meant as the URL of a document. */
export const isDocumentUrl = (clientId: string): boolean => /^https?:/i.test(clientId);

/** What is wrong with the URL of a document; undefined if nothing is. Each document has one spelling of its URL. */
export function documentUrlProblem(url: string, allowedNetworks: readonly string[]): string | undefined {
  if (url.length > URL_MAX_LENGTH) return `its URL is longer than ${URL_MAX_LENGTH} characters`;
  if (!URL.canParse(url) || new URL(url).href !== url) return 'its URL is not written in its normal form';
  const { protocol, username, password, pathname } = new URL(url);
  if (protocol !== 'https:' && !isAddressIn(hostOf(url), allowedNetworks)) return 'its URL must begin with https://';
  if (url.includes('#') || username !== '' || password !== '') return 'its URL must not have a fragment or credentials';
  return pathname === '/' ? 'its URL must have a path' : undefined;
}

/** Reads a document. Throws `ClientMetadataRefused`. */
export function readDocument(url: string, text: string, schemes: readonly string[]): SharedClient {
  const document = parse(text);
  if (document.client_id !== url) throw refused('its client_id is not its URL');
  if ('client_secret' in document || 'client_secret_expires_at' in document) throw refused('it has a client secret, which is public now');
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (method !== 'none') throw refused('its token_endpoint_auth_method is not none');
  const { host } = new URL(url);
  const { name = host, redirectUris } = readClientMetadata(document, schemes);
  return { clientId: url, name, redirectUris, host, isListed: false };
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused('it is not a JSON object');
  return value as Record<string, unknown>;
}

const refused = (reason: string): ClientMetadataRefused => new ClientMetadataRefused('invalid_client_metadata', reason);
