import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../kernel/context.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^pk_(test|live)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export const prefixOf = (environment: Environment): string => `pk_${environment}_`;

/** A new key: prefix, 190 bits of chance, and a checksum by which a scanner tells a real key from a lookalike. */
export function makeKey(environment: Environment): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = `${prefixOf(environment)}${random}`;
  return `${body}${checksum(body)}`;
}

/** Whether the text is a key that could have been issued; most of what is guessed or mistyped ends here, without a look-up. */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** What is stored of a key. A plain hash serves: what is hashed is chance of full length, not a password. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** CRC-32 (IEEE) in base62, padded to six. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  while (rest > 0) {
    digits = ALPHABET[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(CHECKSUM_LENGTH, '0');
}
