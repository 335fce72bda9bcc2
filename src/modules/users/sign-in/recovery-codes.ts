import { randomBytes } from 'node:crypto';
import { digestOf } from '../../../kernel/text.js';
import { base32 } from './totp.js';

const COUNT = 10;
/** 80 bits: nobody finds a code whose hash they know. */
const CODE_BYTES = 10;

/** Codes for whoever loses their authenticator app. Each works once. Only their hashes are stored. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => base32(randomBytes(CODE_BYTES)).toLowerCase().match(/.{4}/g)!.join('-'));
}

/** However it is typed: in capitals, without hyphens, with spaces. */
export const hashOfRecoveryCode = (accountId: string, code: string): string =>
  digestOf('recovery code', accountId, code.toLowerCase().replace(/[^a-z0-9]/g, ''));
