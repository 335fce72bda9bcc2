import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { LocalProofs, ProofReplays } from './dpop-proofs.js';

const MINUTE_MS = 60_000;

describe('the proofs that a process remembers', () => {
  it('count once until they expire', () => {
    let now = 0;
    const proofs = new LocalProofs(10, () => now);
    expect([proofs.isFirst('a', MINUTE_MS), proofs.isFirst('a', MINUTE_MS), proofs.isFirst('b', MINUTE_MS)]).toEqual([true, false, true]);
    now = MINUTE_MS;
    expect(proofs.isFirst('a', MINUTE_MS)).toBe(true);
  });

  it('are bounded: with too many, further ones are refused until some expire, and none is forgotten', () => {
    let now = 0;
    const proofs = new LocalProofs(2, () => now);
    for (const id of ['a', 'b']) expect(proofs.isFirst(id, MINUTE_MS)).toBe(true);
    expect(() => proofs.isFirst('c', MINUTE_MS)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(proofs.isFirst('a', MINUTE_MS)).toBe(false);
    now = MINUTE_MS;
    expect(proofs.isFirst('c', MINUTE_MS)).toBe(true);
  });

  it('are remembered by the process while Redis is down', async () => {
    const away = { status: 'ready', set: () => Promise.reject(new Error('Connection is closed.')) } as unknown as Redis;
    const replays = new ProofReplays(away);
    expect([await replays.isFirst('a', MINUTE_MS), await replays.isFirst('a', MINUTE_MS)]).toEqual([true, false]);
  });
});
