import type { AdapterPayload, Client } from 'oidc-provider';
import type { Application } from './application.entity.js';

/** The server wants to see a secret where there is one; it is compared by its hash, and never here. */
const SECRET_IS_HASHED = 'kept as a hash, and compared by it';

/** An application as the authorization server knows clients. */
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
    application,
  };
}

/** The application that a client is. */
export const applicationOf = (client: Client): Application => client.application as Application;
