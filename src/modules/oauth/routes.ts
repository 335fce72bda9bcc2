import type { ClientAuthMethod } from 'oidc-provider';

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  registration: '/oauth/register',
  pushed_authorization_request: '/oauth/par',
  device_authorization: '/oauth/device_authorization',
  code_verification: '/oauth/device',
};
export const CALLED_BY_APPLICATIONS: readonly string[] = [
  ROUTES.token,
  ROUTES.revocation,
  ROUTES.introspection,
  ROUTES.pushed_authorization_request,
  ROUTES.device_authorization,
];
/** Of what an application pushes or asks for a device: it is stored until the user has signed in. */
export const PUSHED_REQUEST_MAX_BYTES = 8192;
/** Of an authorization request: what is needed of it is stored until the user has signed in. */
export const AUTHORIZATION_QUERY_MAX_BYTES = 4096;
export const CONNECTIONS_PATH = '/oauth/connections';
/** RFC 8414. */
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';
/** RFC 9728. The path of the resource follows. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
export const CONFIDENTIAL_METHODS: ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
export const CLIENT_AUTH_METHODS: ClientAuthMethod[] = [...CONFIDENTIAL_METHODS, 'none'];
