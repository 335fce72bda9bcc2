import type { ClientAuthMethod } from 'oidc-provider';

/** The endpoints of the authorization server. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  registration: '/oauth/register',
};
/** Of an authorization request: what is needed of it is stored until the user has signed in. */
export const AUTHORIZATION_QUERY_MAX_BYTES = 4096;
/** RFC 8414. */
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';
/** RFC 9728. The path of the resource follows. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** How a confidential application sends its secret. */
export const SECRET_METHODS: ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post'];
/** A public application has no secret. */
export const CLIENT_AUTH_METHODS: ClientAuthMethod[] = [...SECRET_METHODS, 'none'];
