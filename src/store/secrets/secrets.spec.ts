import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Settings } from '../../kernel/settings/settings.js';
import { Secrets } from './secrets.js';

const aKey = (): string => randomBytes(32).toString('base64');
const withKeys = (...keys: string[]): Secrets => new Secrets(Settings.from({ ENCRYPTION_KEY: keys.join(',') }));

describe('a secret', () => {
  it('is decrypted exactly, whatever it is, and is encrypted differently each time', () => {
    const secrets = withKeys(aKey());
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, place) => {
        const [once, again] = [secrets.encrypt(text, place), secrets.encrypt(text, place)];
        expect(secrets.decrypt(once, place)).toBe(text);
        expect(once.equals(again)).toBe(false);
      }),
    );
  });

  it('cannot be decrypted in another place, or after a change of a single bit', () => {
    const secrets = withKeys(aKey());
    const stored = secrets.encrypt('whsec_secret', 'webhook 1');
    expect(() => secrets.decrypt(stored, 'webhook 2')).toThrow();
    for (let bit = 0; bit < stored.length * 8; bit += 1) {
      const changed = Buffer.from(stored);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => secrets.decrypt(changed, 'webhook 1'), `bit ${bit}`).toThrow();
    }
  });

  it('can be decrypted after a change of keys as long as the old key is still listed', () => {
    const [old, next] = [aKey(), aKey()];
    const stored = withKeys(old).encrypt('whsec_secret', 'webhook 1');
    expect(withKeys(next, old).decrypt(stored, 'webhook 1')).toBe('whsec_secret');
    expect(withKeys(old).encrypt('x', 'y').subarray(1, 5)).not.toEqual(withKeys(next, old).encrypt('x', 'y').subarray(1, 5));
    expect(() => withKeys(next).decrypt(stored, 'webhook 1')).toThrow('not among those of ENCRYPTION_KEY');
  });
});
