import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdapterPayload, Client } from 'oidc-provider';
import { type Application, GRANT_NAMES } from './application.entity.js';
import { isAppScheme } from './redirect-addresses.js';

const CLIENT_ID_BYTES = 15;
const SECRET_BYTES = 32;

/** A client id is public. */
export const makeClientId = (): string => `app_${randomBytes(CLIENT_ID_BYTES).toString('base64url')}`;
export const isClientId = (text: string): boolean => /^app_[\w-]{20}$/.test(text);
export const makeClientSecret = (): string => `cs_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** A fast hash is enough, because secrets are random and not chosen by people. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether the secret has one of these hashes. Takes equally long for each of them. */
export function isSecretOf(secret: string, hashes: readonly Buffer[]): boolean {
  const given = hashSecret(secret);
  return hashes.reduce((found, hash) => timingSafeEqual(given, hash) || found, false);
}

type StoredSecrets = Pick<Application, 'secretHash' | 'previousSecretHash' | 'previousSecretExpiresAt'>;

export function validSecretHashes({ secretHash, previousSecretHash, previousSecretExpiresAt }: StoredSecrets, now: Date): Buffer[] {
  const isOverlap = previousSecretExpiresAt !== null && now < new Date(previousSecretExpiresAt);
  return [secretHash, isOverlap ? previousSecretHash : null].filter((hash) => hash !== null);
}

/** oidc-provider requires a value for confidential clients. It is not used: secrets are compared by their hashes. */
const SECRET_IS_HASHED = 'stored as a hash';

export function clientMetadata(application: Application): AdapterPayload {
  const { clientId, name, grants, redirectUris } = application;
  const isByBrowser = grants.includes('authorization_code');
  const isByUsers = isByBrowser || grants.includes('device_code');
  return {
    client_id: clientId,
    client_name: name,
    ...authenticationOf(application),
    grant_types: [...grants.map((grant) => GRANT_NAMES[grant]), ...(isByUsers ? ['refresh_token'] : [])],
    response_types: isByBrowser ? ['code'] : [],
    response_modes: ['query'],
    redirect_uris: redirectUris,
    application_type: redirectUris.some(isAppScheme) ? 'native' : 'web',
    application,
  };
}

function authenticationOf({ isPublic, publicKeys }: Application): Partial<AdapterPayload> {
  if (isPublic) return { token_endpoint_auth_method: 'none' };
  if (publicKeys) return { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [...publicKeys.keys] } };
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: SECRET_IS_HASHED };
}

/** The application of one organization behind an oidc-provider client. It is not there for one that every organization can connect. */
export const applicationOf = (client: Client): Application => client.application as Application;
