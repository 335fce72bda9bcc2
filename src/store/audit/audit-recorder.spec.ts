import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeContext, OPERATOR } from '../../kernel/context.js';
import type { Log } from '../../kernel/log.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { type AuditRecorder, ThrottledRecorder } from './audit-recorder.js';

let now: number;
beforeEach(() => {
  now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A recorder whose database fails while `away`. */
function aRecorder() {
  const state = { away: false, entries: [] as string[], warnings: [] as unknown[] };
  const run = async (ctx: object, work: (inner: object) => Promise<void>) => {
    if (state.away) throw new Error('away');
    await work(ctx);
  };
  const record = (_ctx: object, { resourceId }: { resourceId: string }) => state.entries.push(resourceId);
  const warn = (...line: unknown[]) => state.warnings.push(line);
  const recorder = new ThrottledRecorder(
    { run } as unknown as UnitOfWork,
    { record } as unknown as AuditRecorder,
    { warn } as unknown as Log,
  );
  const note = async (budget: string, key: string, maxPerMinute = 3): Promise<void> => {
    const entry = { action: 'api_key.refused' as const, resourceId: `${budget} ${key}`, changes: {} };
    recorder.record({ ctx: changeContext('an organization', OPERATOR), entry, budget, maxPerMinute, key });
    await recorder.settled();
  };
  return { state, recorder, note };
}

describe('ThrottledRecorder', () => {
  it('writes one entry per budget and key within a minute', async () => {
    const { state, note } = aRecorder();
    for (const [budget, key] of [
      ['a', '1'],
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
    ] as const)
      await note(budget, key);
    expect(state.entries).toEqual(['a 1', 'a 2', 'b 1']);
  });

  it('writes again after a minute', async () => {
    const { state, note } = aRecorder();
    await note('a', '1');
    now += 59_999;
    await note('a', '1');
    now += 2;
    await note('a', '1');
    expect(state.entries).toEqual(['a 1', 'a 1']);
  });

  it('writes no more than the limit of a budget within a minute', async () => {
    const { state, note } = aRecorder();
    for (let key = 0; key < 10; key += 1) await note('a', String(key), 4);
    expect(state.entries).toHaveLength(4);
  });

  it('logs a write that fails, and writes the next entry with the same key', async () => {
    const { state, note } = aRecorder();
    state.away = true;
    await note('a', '1');
    expect(state.warnings).toEqual([[{ err: new Error('away'), action: 'api_key.refused' }, 'audit entry lost']]);
    state.away = false;
    await note('a', '1');
    expect(state.entries).toEqual(['a 1']);
  });

  it('waits for open writes before the application shuts down', async () => {
    const ended: (() => void)[] = [];
    const run = () => new Promise<void>((resolve) => ended.push(resolve));
    const recorder = new ThrottledRecorder({ run } as unknown as UnitOfWork, {} as AuditRecorder, {} as Log);
    const entry = { action: 'api_key.refused' as const, resourceId: 'a', changes: {} };
    recorder.record({ ctx: changeContext('an organization', OPERATOR), entry, budget: 'a', maxPerMinute: 1, key: '1' });
    let isDown = false;
    const down = recorder.beforeApplicationShutdown().then(() => (isDown = true));
    await new Promise(setImmediate);
    expect(isDown).toBe(false);
    ended[0]!();
    await down;
    expect(isDown).toBe(true);
  });
});
