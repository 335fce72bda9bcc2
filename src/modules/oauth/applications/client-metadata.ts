import type { AdapterPayload, Client } from 'oidc-provider';
import { GRANT_NAMES, type Application } from './application.entity.js';
import { isAppScheme } from './redirect-addresses.js';

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
