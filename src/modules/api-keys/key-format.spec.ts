import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashKey, isWellFormedKey, makeKey, prefixOf } from './key-format.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const environments = fc.constantFrom('test' as const, 'live' as const);
const keys = environments.map((environment) => makeKey(environment));

/** CRC-32 (IEEE 802.3), bit by bit as in the standard, to check the library. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(number: number): string {
  return number === 0 ? '' : base62(Math.floor(number / 62)) + BASE62[number % 62]!;
}

describe('a new key', () => {
  it('is a prefix for the environment, 32 base62 characters and 6 of checksum', () => {
    fc.assert(
      fc.property(environments, (environment) => {
        expect(makeKey(environment)).toMatch(new RegExp(`^pk_${environment}_[0-9A-Za-z]{38}$`));
        expect(makeKey(environment).startsWith(prefixOf(environment))).toBe(true);
      }),
    );
  });

  it('ends with the CRC-32 of everything before, in base62 padded to six', () => {
    // The check value of the standard.
    expect(crc32('123456789')).toBe(0xcbf43926);
    fc.assert(
      fc.property(keys, (key) => {
        expect(key.slice(-6)).toBe(base62(crc32(key.slice(0, -6))).padStart(6, '0'));
      }),
    );
  });

  it('is unique, and uses every character at every position', () => {
    const made = Array.from({ length: 3000 }, () => makeKey('live'));
    expect(new Set(made).size).toBe(made.length);
    // The probability that a character is missing at a position among 3000 keys is below 10^-17.
    for (let position = 8; position < 40; position += 1)
      expect(new Set(made.map((key) => key[position])).size, `position ${position}`).toBe(62);
  });
});

describe('a well-formed key', () => {
  it('is every generated key', () => {
    fc.assert(fc.property(keys, isWellFormedKey));
  });

  it('is not one with a character changed', () => {
    const otherCharacter = fc.record({ key: keys, position: fc.nat(45), character: fc.constantFrom(...BASE62) });
    fc.assert(
      fc.property(otherCharacter, ({ key, position, character }) => {
        fc.pre(key[position] !== character);
        expect(isWellFormedKey(key.slice(0, position) + character + key.slice(position + 1))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('is not one with two neighbours swapped', () => {
    fc.assert(
      fc.property(keys, fc.nat(44), (key, position) => {
        const [first, second] = [key[position]!, key[position + 1]!];
        fc.pre(first !== second);
        expect(isWellFormedKey(key.slice(0, position) + second + first + key.slice(position + 2))).toBe(false);
      }),
    );
  });

  it('is not one that is cut, extended, of the other environment, or in another case', () => {
    fc.assert(
      fc.property(keys, fc.nat(45), fc.string({ minLength: 1, maxLength: 5 }), (key, length, more) => {
        const other = key.startsWith('pk_test_') ? key.replace('pk_test_', 'pk_live_') : key.replace('pk_live_', 'pk_test_');
        for (const lookalike of [key.slice(0, length), key + more, more + key, other, key.toUpperCase(), `${key}\n`, ` ${key}`])
          expect(isWellFormedKey(lookalike)).toBe(false);
      }),
    );
  });

  it('is no other text', () => {
    const lookalikes = fc.string({ minLength: 38, maxLength: 38 }).map((text) => `pk_test_${text}`);
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), lookalikes), (text) => !isWellFormedKey(text)));
  });
});

it('is stored as its SHA-256', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(hashKey(key).toString('hex')).toBe(createHash('sha256').update(key, 'utf8').digest('hex'));
    }),
  );
});
