export {
  OAuthApplication,
  type AuthorizationRequest,
  type BegunAuthorization,
  type OAuthApplicationOptions,
  type PendingAuthorization,
} from './oauth/application.js';
export { CallbackError, ConnectionRevokedError, NotConnectedError, type CallbackMistake } from './oauth/errors.js';
export { MemoryTokenStore, type Tokens, type TokenStore } from './oauth/store.js';
export { OAuthError, type OAuthErrorCode } from './token-requests.js';
