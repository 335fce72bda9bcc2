// For programs that sign without the application: it loads none of its libraries.
export { headersOf } from './message.js';
export { makeSecret, signingKey, type SigningKey } from './webhook-secret.js';
