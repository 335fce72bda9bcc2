import type { AdapterPayload, Client } from 'oidc-provider';
import type { Application } from './application.entity.js';
import { isAppScheme } from './redirect-addresses.js';

/** oidc-provider requires a value for confidential clients. It is not used: secrets are compared by their hashes. */
const SECRET_IS_HASHED = 'stored as a hash';

/** The application as an oidc-provider client. */
export function clientMetadata(application: Application): AdapterPayload {
  const { clientId, name, isPublic, grants, redirectUris } = application;
  const isByUsers = grants.includes('authorization_code');
  return {
    client_id: clientId,
    client_name: name,
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    ...(!isPublic && { client_secret: SECRET_IS_HASHED }),
    grant_types: [...grants, ...(isByUsers ? ['refresh_token'] : [])],
    response_types: isByUsers ? ['code'] : [],
    response_modes: ['query'],
    redirect_uris: redirectUris,
    application_type: redirectUris.some(isAppScheme) ? 'native' : 'web',
    application,
  };
}

/** The application of one organization behind an oidc-provider client. It is not there for one that every organization can connect. */
export const applicationOf = (client: Client): Application => client.application as Application;
