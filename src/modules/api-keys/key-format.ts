import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../kernel/context.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^pk_(test|live)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export const prefixOf = (environment: Environment): string => `pk_${environment}_`;

/** A new key: prefix, 190 random bits, and a checksum that lets secret scanners recognize real keys. */
export function makeKey(environment: Environment): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = `${prefixOf(environment)}${random}`;
  return `${body}${checksum(body)}`;
}

/** Whether the text could be a key. Rejects most guesses and typing mistakes without a query. */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

export const isDamagedKey = (text: string): boolean => /^pk_(test|live)_/.test(text) && !isWellFormedKey(text);

/** The hash that is stored. A fast hash is enough, because keys are random and not chosen by people. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

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
