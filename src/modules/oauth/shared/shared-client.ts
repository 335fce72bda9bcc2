import type { AdapterPayload, Client } from 'oidc-provider';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import { isAppScheme, redirectProblem, REDIRECTS_MAX } from '../applications/redirect-addresses.js';

const NAME_MAX = 200;

/** A public application that every organization can connect. Nobody has verified its name unless the operator has listed it. */
export interface SharedClient {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The host that publishes its metadata document: the one thing about it that nobody else can claim. */
  readonly host: string | null;
  readonly isListed: boolean;
}

/** What an application says about itself, in the names of RFC 7591. */
export interface ClientMetadata {
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
}

/** Why what an application says about itself cannot be accepted. `code` is one of RFC 7591. */
export class ClientMetadataRefused extends Error {
  constructor(
    readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

/** Reads what we need of an application's metadata. All else is ignored, as the RFC wants it. */
export function readClientMetadata(document: Readonly<Record<string, unknown>>, schemes: readonly string[]): ClientMetadata {
  const { client_name: name, redirect_uris: uris, grant_types: grants, response_types: responses } = document;
  if (name !== undefined && !isName(name))
    throw new ClientMetadataRefused('invalid_client_metadata', `client_name must be a text of 1 to ${NAME_MAX} visible characters`);
  requireIncluded('grant_types', grants, 'authorization_code');
  requireIncluded('response_types', responses, 'code');
  if (!isTextList(uris) || uris.length === 0 || uris.length > REDIRECTS_MAX)
    throw new ClientMetadataRefused('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${REDIRECTS_MAX} addresses`);
  for (const uri of uris) {
    const problem = redirectProblem(uri, { isPublic: true, environment: 'live', schemes });
    if (problem !== undefined) throw new ClientMetadataRefused('invalid_redirect_uri', `redirect_uris holds ${uri}, which ${problem}`);
  }
  return { name: name?.trim(), redirectUris: [...new Set(uris)] };
}

function requireIncluded(field: string, list: unknown, needed: string): void {
  if (list !== undefined && !(isTextList(list) && list.includes(needed)))
    throw new ClientMetadataRefused('invalid_client_metadata', `${field} must include ${needed}`);
}

/** Users see the name. With control characters, such as those that turn the direction of text, it could look like another one. */
function isName(value: unknown): value is string {
  if (typeof value !== 'string' || !isStorableText(value) || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) return false;
  return value.trim() !== '' && codePoints(value) <= NAME_MAX;
}

const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The application as an oidc-provider client. It never has a secret, so it cannot use client credentials. */
export function sharedClientMetadata(shared: SharedClient): AdapterPayload {
  return {
    client_id: shared.clientId,
    client_name: shared.name,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    redirect_uris: [...shared.redirectUris],
    application_type: shared.redirectUris.some(isAppScheme) ? 'native' : 'web',
    shared,
  };
}

/** The shared application behind an oidc-provider client; undefined for an application of one organization. */
export const sharedClientOf = (client: Client): SharedClient | undefined => client.shared as SharedClient | undefined;
