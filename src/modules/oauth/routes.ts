import type { ClientAuthMethod } from 'oidc-provider';

/** Where the authorization server is asked for what. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
};
/** How an application may tell its secret. */
export const SECRET_METHODS: ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post'];
/** Or that it has none. */
export const CLIENT_AUTH_METHODS: ClientAuthMethod[] = [...SECRET_METHODS, 'none'];
