export { base32, bytesOfBase32, totpCode, totpStep, totpUri } from './one-time-codes.js';
