import * as crypto from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { hashSecret, isClientId, isSecretOf, makeClientId, makeClientSecret, secretsInForce } from './client-secret.js';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});
afterEach(() => vi.clearAllMocks());

it('makes ids and secrets that nobody can guess, and knows ids when it sees them', () => {
  expect(new Set(Array.from({ length: 100 }, makeClientSecret)).size).toBe(100);
  expect(makeClientSecret()).toMatch(/^cs_[\w-]{43}$/);
  expect(isClientId(makeClientId())).toBe(true);
  for (const other of [
    '',
    'app_',
    `${makeClientId()}x`,
    ` ${makeClientId()}`,
    `${makeClientId()}\n`,
    `${makeClientId().slice(0, -1)}\u0000`,
  ])
    expect(isClientId(other)).toBe(false);
});

it('finds a secret among those in force, whichever it is, and no other, of whatever length', () => {
  const [first, second] = [makeClientSecret(), makeClientSecret()];
  const hashes = [first, second].map(hashSecret);
  for (const secret of [first, second]) expect(isSecretOf(secret, hashes)).toBe(true);
  for (const wrong of ['', first.slice(0, -1), `${first}x`, 'x'.repeat(100_000), hashes[0]!.toString('hex'), hashes[0]!.toString('latin1')])
    expect(isSecretOf(wrong, hashes)).toBe(false);
  expect(isSecretOf(first, [])).toBe(false);
});

it('compares digests alone, in equal time, and all of them also where the first is the one', () => {
  const [first, second] = [makeClientSecret(), makeClientSecret()];
  for (const given of [first, second, 'short']) {
    vi.clearAllMocks();
    isSecretOf(given, [first, second].map(hashSecret));
    const compared = vi.mocked(crypto.timingSafeEqual).mock.calls;
    expect(compared.length).toBe(2);
    for (const sides of compared) for (const side of sides) expect(side.byteLength).toBe(32);
  }
});

it('takes the secret before a rotation as long as they overlap, and none where there is none', () => {
  const [secretHash, previousSecretHash] = [hashSecret('new'), hashSecret('old')];
  const rotated = { secretHash, previousSecretHash, previousSecretExpiresAt: '2026-03-01T10:00:00.000Z' };
  expect(secretsInForce(rotated, new Date('2026-03-01T09:59:59.999Z'))).toEqual([secretHash, previousSecretHash]);
  expect(secretsInForce(rotated, new Date('2026-03-01T10:00:00.000Z'))).toEqual([secretHash]);
  expect(secretsInForce({ secretHash: null, previousSecretHash: null, previousSecretExpiresAt: null }, new Date())).toEqual([]);
});
