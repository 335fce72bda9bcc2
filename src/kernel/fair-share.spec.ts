import { describe, expect, it } from 'vitest';
import { FairShare, halfOf, type FairShareOptions, type GiveBack } from './fair-share.js';

const aShare = (wanted: Partial<FairShareOptions> = {}) =>
  new FairShare({ what: 'Things', capacity: 4, share: 2, maxWaiting: 10, maxWaitMs: 60_000, ...wanted });

/** Takes for each owner in turn, and notes who was given something, in order. */
function queueUp(share: FairShare, ...owners: (readonly [owner: string, amount?: number])[]) {
  const served: string[] = [];
  const given: GiveBack[] = [];
  for (const [owner, amount] of owners)
    void share.takePatiently(owner, amount).then((giveBack) => (served.push(owner), given.push(giveBack)));
  return { served, given };
}
const turn = () => new Promise(setImmediate);

describe('FairShare', () => {
  it('gives an owner no more than its share, and leaves the rest to others', async () => {
    const { served } = queueUp(aShare(), ['a'], ['a'], ['a'], ['a'], ['b'], ['b'], ['b']);
    await turn();
    expect(served).toEqual(['a', 'a', 'b', 'b']);
  });

  it('gives no more than the capacity to all owners together', async () => {
    const { served, given } = queueUp(aShare(), ['a'], ['a'], ['b'], ['b'], ['c']);
    await turn();
    expect(served).toEqual(['a', 'a', 'b', 'b']);
    given[0]!();
    await turn();
    expect(served.slice(4)).toEqual(['c']);
  });

  it('lets waiting owners take turns, however many wait for one of them', async () => {
    const share = aShare({ capacity: 1, share: 1 });
    const { served, given } = queueUp(share, ['x'], ['a'], ['a'], ['a'], ['b'], ['c']);
    for (let next = 0; next < 6; next += 1) {
      await turn();
      given[next]!();
    }
    expect(served).toEqual(['x', 'a', 'b', 'c', 'a', 'a']);
  });

  it('gives what is larger than the share to an owner that holds nothing', async () => {
    const { served, given } = queueUp(aShare(), ['a'], ['a', 100], ['b', 100]);
    await turn();
    expect(served).toEqual(['a', 'b']);
    given[0]!();
    await turn();
    expect(served).toEqual(['a', 'b', 'a']);
  });

  it('does not let small ones of others go before a large one whose turn it is', async () => {
    const share = aShare({ capacity: 4, share: 3 });
    const { served, given } = queueUp(share, ['a', 2], ['b', 1], ['c', 3], ['d', 1]);
    await turn();
    expect(served).toEqual(['a', 'b']);
    given[0]!();
    await turn();
    expect(served).toEqual(['a', 'b', 'c']);
  });

  it('takes back what is given back twice only once', async () => {
    const share = aShare({ capacity: 1, share: 1 });
    const giveBack = await share.take('a');
    giveBack();
    giveBack();
    const { served } = queueUp(share, ['a'], ['a']);
    await turn();
    expect(served).toEqual(['a']);
  });

  it('refuses with a 429 that names the share when too many wait or one waits too long, and serves the next', async () => {
    const share = aShare({ capacity: 1, share: 1, maxWaiting: 1, maxWaitMs: 20 });
    const giveBack = await share.take('a');
    const late = share.take('a');
    const refusal = { code: 'rate_limited', retry: 'same_key', headers: { 'Retry-After': '1' } };
    await expect(share.take('a')).rejects.toMatchObject({
      ...refusal,
      detail: 'Things are limited to 1 at once for each organization, and 1 more are waiting.',
    });
    await expect(late).rejects.toMatchObject({
      ...refusal,
      detail: 'Things are limited to 1 at once for each organization, and this request has waited for 0.02 seconds.',
    });
    const next = share.take('a');
    giveBack();
    (await next)();
    await expect(share.take('b')).resolves.toBeTypeOf('function');
  });

  it('gives nothing to one that leaves while it waits, and serves those behind it', async () => {
    const share = aShare({ capacity: 1, share: 1 });
    const leaving = new AbortController();
    const first = await share.takePatiently('a');
    const left = share.takePatiently('b', 1, leaving.signal);
    const { served } = queueUp(share, ['c']);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(share.takePatiently('b', 1, leaving.signal)).rejects.toThrow('left');
    first();
    await turn();
    expect(served).toEqual(['c']);
  });

  it('calls at least one half, so that the only thread can be used', () => {
    expect([1, 2, 3, 4, 5].map(halfOf)).toEqual([1, 1, 1, 2, 2]);
  });
});
