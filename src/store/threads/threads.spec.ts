import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { Settings } from '../../kernel/settings/settings.js';
import type take from '../../../test/support/taking.computation.js';
import type { Taking } from '../../../test/support/taking.computation.js';
import { NOTHING, Threads } from './threads.js';

const TAKING = new URL('../../../test/support/taking.computation.js', import.meta.url);

let threads: Threads;
const open = (env: Record<string, string>): void => {
  threads = new Threads(Settings.from(env));
};
const ends: AbortController[] = [];
afterEach(async () => {
  ends.splice(0).forEach((end) => end.abort());
  await threads.onApplicationShutdown();
});

/** Begins a computation that lasts until it is ended, and notes when it has a thread. */
function begin(organizationId: string, begun: string[], name = organizationId, signal?: AbortSignal) {
  const end = new AbortController();
  ends.push(end);
  const items = {
    async *[Symbol.asyncIterator](): AsyncGenerator<never> {
      if (!end.signal.aborted) await once(end.signal, 'abort');
    },
  };
  const outputs = threads.compute<typeof take>(TAKING, { organizationId, input: {}, items, signal, advice: '' });
  const ended = (async () => {
    await outputs.next();
    begun.push(name);
    return (await outputs.next()).done;
  })();
  ended.catch(() => undefined);
  return { end: () => (end.abort(), ended), ended };
}
const compute = (input: Taking, timeoutMs?: number): Promise<unknown> => {
  const outputs = threads.compute<typeof take>(TAKING, { organizationId: 'a', input, items: NOTHING, timeoutMs, advice: 'Take less.' });
  return outputs.next().then(() => outputs.next());
};
const soon = (check: () => void) => expect.poll(() => (check(), true), { timeout: 20_000 }).toBe(true);

describe('Threads', () => {
  it('gives an organization at most half of them, and the rest to others', async () => {
    open({ COMPUTE_THREADS: '4' });
    const begun: string[] = [];
    for (const owner of ['a', 'a', 'a', 'a', 'b', 'b', 'b']) begin(owner, begun);
    await soon(() => expect(begun.toSorted()).toEqual(['a', 'a', 'b', 'b']));
  });

  it('gives a computation for two a second one, if its organization has a place left that nobody waits for', async () => {
    open({ COMPUTE_THREADS: '4', COMPUTE_MEMORY_MIB: '300' });
    const forTwo = async (organizationId: string): Promise<unknown> => {
      const work = { organizationId, input: {}, items: NOTHING, isForTwo: true, advice: '' };
      const outputs = threads.compute<typeof take>(TAKING, work);
      await outputs.next();
      return (await outputs.next()).value;
    };
    const [alone, none] = [300, undefined].map((secondMib) => ({ mebibytes: 0, secondMib }));
    expect(await forTwo('a')).toEqual(alone);
    const begun: string[] = [];
    const other = begin('a', begun);
    await soon(() => expect(begun).toEqual(['a']));
    expect([await forTwo('a'), await forTwo('b')]).toEqual([none, alone]);
    for (const owner of ['b', 'b']) begin(owner, begun);
    await soon(() => expect(begun).toHaveLength(3));
    // The last of the four is its first.
    expect(await forTwo('c')).toEqual(none);
    await other.end();
    expect(await forTwo('c')).toEqual(alone);
  });

  it('lets organizations take turns that wait, however much one of them has queued', async () => {
    open({ COMPUTE_THREADS: '1' });
    const begun: string[] = [];
    const [first, second, , other] = [begin('a', begun, 'a1'), begin('a', begun, 'a2'), begin('a', begun, 'a3'), begin('b', begun)];
    await soon(() => expect(begun).toEqual(['a1']));
    await first.end();
    await soon(() => expect(begun).toEqual(['a1', 'a2']));
    await second.end();
    await soon(() => expect(begun).toEqual(['a1', 'a2', 'b']));
    await other.end();
    await soon(() => expect(begun).toEqual(['a1', 'a2', 'b', 'a3']));
  });

  it('begins nothing whose caller has left while it waited, and lets the next one go on', async () => {
    open({ COMPUTE_THREADS: '1' });
    const begun: string[] = [];
    const leaving = new AbortController();
    const first = begin('a', begun);
    const left = begin('b', begun, 'b', leaving.signal);
    begin('c', begun);
    leaving.abort(new Error('left'));
    await expect(left.ended).rejects.toThrow('left');
    await first.end();
    await soon(() => expect(begun).toEqual(['a', 'c']));
  });

  const tooMuch = { code: 'took_too_much_memory', message: 'The work took more than 64 MiB of memory. Take less.' };
  it('counts buffers as memory, which V8 does not bound', async () => {
    open({ COMPUTE_MEMORY_MIB: '64' });
    await expect(compute({ mebibytes: 4000 })).rejects.toMatchObject(tooMuch);
    expect(await compute({ mebibytes: 8 })).toMatchObject({ done: true, value: { mebibytes: 8 } });
  });

  // Before Node 22.16 a busy thread cannot be asked.
  it.skipIf(!('getHeapStatistics' in Worker.prototype))('counts buffers of a thread that never waits', async () => {
    open({ COMPUTE_MEMORY_MIB: '64' });
    await expect(compute({ mebibytes: 100, isBusy: true })).rejects.toMatchObject(tooMuch);
  });

  it('ends what takes longer than its caller allows, although COMPUTE_TIMEOUT would', async () => {
    open({});
    await expect(compute({ mebibytes: 1, isBusy: true }, 500)).rejects.toMatchObject({
      code: 'took_too_long',
      message: 'The work took more than 500 milliseconds. Take less.',
    });
  });
});
