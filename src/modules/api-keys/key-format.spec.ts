import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashKey, isWellFormedKey, makeKey, prefixOf } from './key-format.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const environments = fc.constantFrom('test' as const, 'live' as const);
const keys = environments.map((environment) => makeKey(environment));

/** CRC-32 (IEEE 802.3), bit by bit as the standard writes it, so that nothing is taken on trust from a library. */
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
  it('is a prefix that tells the environment, 32 base62 characters and 6 of checksum', () => {
    fc.assert(
      fc.property(environments, (environment) => {
        expect(makeKey(environment)).toMatch(new RegExp(`^pk_${environment}_[0-9A-Za-z]{38}$`));
        expect(makeKey(environment).startsWith(prefixOf(environment))).toBe(true);
      }),
    );
  });

  it('ends with the CRC-32 of all that stands before it, in base62 padded to six', () => {
    // The check value of the standard, so that the comparison itself is known to be right.
    expect(crc32('123456789')).toBe(0xcbf43926);
    fc.assert(
      fc.property(keys, (key) => {
        expect(key.slice(-6)).toBe(base62(crc32(key.slice(0, -6))).padStart(6, '0'));
      }),
    );
  });

  it('is like no other, and uses every character at every place', () => {
    const made = Array.from({ length: 3000 }, () => makeKey('live'));
    expect(new Set(made).size).toBe(made.length);
    // That one of 62 characters is missing at one of 32 places among 3000 keys has a chance of less than one in 10^17.
    for (let place = 8; place < 40; place += 1) expect(new Set(made.map((key) => key[place])).size, `place ${place}`).toBe(62);
  });
});

describe('a well-formed key', () => {
  it('is every key that was made', () => {
    fc.assert(fc.property(keys, isWellFormedKey));
  });

  it('is none with one character changed', () => {
    const otherCharacter = fc.record({ key: keys, place: fc.nat(45), character: fc.constantFrom(...BASE62) });
    fc.assert(
      fc.property(otherCharacter, ({ key, place, character }) => {
        fc.pre(key[place] !== character);
        expect(isWellFormedKey(key.slice(0, place) + character + key.slice(place + 1))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('is none with two neighbours swapped', () => {
    fc.assert(
      fc.property(keys, fc.nat(44), (key, place) => {
        const [first, second] = [key[place]!, key[place + 1]!];
        fc.pre(first !== second);
        expect(isWellFormedKey(key.slice(0, place) + second + first + key.slice(place + 2))).toBe(false);
      }),
    );
  });

  it('is none that is cut, lengthened, of the other environment, or in other letters', () => {
    fc.assert(
      fc.property(keys, fc.nat(45), fc.string({ minLength: 1, maxLength: 5 }), (key, length, more) => {
        const other = key.startsWith('pk_test_') ? key.replace('pk_test_', 'pk_live_') : key.replace('pk_live_', 'pk_test_');
        for (const lookalike of [key.slice(0, length), key + more, more + key, other, key.toUpperCase(), `${key}\n`, ` ${key}`])
          expect(isWellFormedKey(lookalike)).toBe(false);
      }),
    );
  });

  it('is no other text, whatever it is', () => {
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
