import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { hashSecret, isClientId, isSecretOf, makeClientId, makeClientSecret, validSecretHashes } from './client-metadata.js';

it('makes random secrets, and recognizes client ids', () => {
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

it('accepts each of the valid secrets and no other text', () => {
  const [first, second] = [makeClientSecret(), makeClientSecret()];
  const hashes = [first, second].map(hashSecret);
  for (const secret of [first, second]) expect(isSecretOf(secret, hashes)).toBe(true);
  for (const wrong of ['', first.slice(0, -1), `${first}x`, 'x'.repeat(100_000), hashes[0]!.toString('hex'), hashes[0]!.toString('latin1')])
    expect(isSecretOf(wrong, hashes)).toBe(false);
  expect(isSecretOf(first, [])).toBe(false);
});

it('compares digests in constant time, and all of them even if the first one matches', () => {
  const compare = vi.spyOn(crypto, 'timingSafeEqual');
  // What was imported from the module by name, perhaps by another test of this process, is the spy from now on.
  syncBuiltinESMExports();
  onTestFinished(() => {
    compare.mockRestore();
    syncBuiltinESMExports();
  });
  const [first, second] = [makeClientSecret(), makeClientSecret()];
  for (const given of [first, second, 'short']) {
    compare.mockClear();
    isSecretOf(given, [first, second].map(hashSecret));
    const compared = compare.mock.calls;
    expect(compared.length).toBe(2);
    for (const sides of compared) for (const side of sides) expect(side.byteLength).toBe(32);
  }
});

it('accepts the previous secret until the overlap ends, and nothing for an application without a secret', () => {
  const [secretHash, previousSecretHash] = [hashSecret('new'), hashSecret('old')];
  const rotated = { secretHash, previousSecretHash, previousSecretExpiresAt: '2026-03-01T10:00:00.000Z' };
  expect(validSecretHashes(rotated, new Date('2026-03-01T09:59:59.999Z'))).toEqual([secretHash, previousSecretHash]);
  expect(validSecretHashes(rotated, new Date('2026-03-01T10:00:00.000Z'))).toEqual([secretHash]);
  expect(validSecretHashes({ secretHash: null, previousSecretHash: null, previousSecretExpiresAt: null }, new Date())).toEqual([]);
});
