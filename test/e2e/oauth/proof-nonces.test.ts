import { describe, expect, it } from 'vitest';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { Clock } from '../../../src/kernel/time.js';
import { ProofNonces } from '../../../src/modules/oauth/proofs/proof-nonces.js';
import { Secrets } from '../../../src/store/secrets/secrets.js';

const keyOf = (text: string) => Buffer.alloc(32, text).toString('base64');

class SetClock extends Clock {
  time = Date.parse('2026-11-22T12:00:00Z');
  override now = (): Date => new Date(this.time);
}

function replica(...keys: string[]) {
  const clock = new SetClock();
  return { clock, nonces: new ProofNonces(new Secrets(Settings.from({ ENCRYPTION_KEY: keys.map(keyOf).join(',') })), clock) };
}

describe('a nonce', () => {
  it('is taken by each replica with the same key, also if their clocks differ by a minute', () => {
    const [one, other] = [replica('a'), replica('a')];
    for (const ahead of [-60_000, 0, 60_000]) {
      other.clock.time = one.clock.time + ahead;
      expect(other.nonces.takes(one.nonces.next())).toBe(true);
    }
  });

  it('works for three minutes at least, and four at most', () => {
    const { clock, nonces } = replica('a');
    const given = nonces.next();
    clock.time += 3 * 60_000;
    expect(nonces.takes(given)).toBe(true);
    clock.time += 60_000;
    expect(nonces.takes(given)).toBe(false);
  });

  it('outlives a change of the encryption key, as long as the old one is known', () => {
    const given = replica('a').nonces.next();
    expect([replica('b', 'a').nonces.takes(given), replica('b').nonces.takes(given)]).toEqual([true, false]);
  });

  it('cannot be made without the key', () => {
    const { nonces } = replica('a');
    for (const forged of ['', 'a', 'A'.repeat(43), replica('c').nonces.next(), nonces.next().slice(1), `${nonces.next()}AAAA`])
      expect(nonces.takes(forged), forged).toBe(false);
  });
});
