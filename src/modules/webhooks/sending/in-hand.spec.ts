import { beforeEach, describe, expect, it } from 'vitest';
import type { DueDelivery } from './due-deliveries.repository.js';
import { InHand } from './in-hand.js';

const LEAST = 16;
const IN_FLIGHT = 8;

let now: number;
let inHand: InHand;
beforeEach(() => {
  now = 1000;
  inHand = new InHand(LEAST);
});

const aDelivery = (): DueDelivery => ({
  id: String(Math.random()),
  attempt: 1,
  eventId: 'event',
  organizationId: 'organization',
  bytes: 1,
});

/** Fetches as much as is wanted, of so much that is due, and returns how much that was. */
function fetch(due = Infinity): number {
  const limit = inHand.nextLimit(IN_FLIGHT, now);
  inHand.add(Array.from({ length: Math.min(limit, due) }, aDelivery), now);
  return limit;
}

function begin(count: number, inMs: number): void {
  for (let begun = 0; begun < count; begun += 1) inHand.next(now);
  now += inMs;
}

describe('what a session has in hand', () => {
  it('is at first what is being sent, and as much that is next', () => {
    expect(fetch()).toBe(LEAST - IN_FLIGHT);
  });

  it('becomes what a quick receiver takes in two seconds, at most four times as much at once', () => {
    fetch();
    begin(8, 100); // 160 in two seconds
    expect(fetch()).toBe(4 * LEAST - IN_FLIGHT);
    begin(56, 700); // again 160
    expect(fetch()).toBe(160 - IN_FLIGHT);
  });

  it('is at most 512, however quick the receiver is', () => {
    for (let fetched = 0; fetched < 10; fetched += 1) {
      fetch();
      begin(inHand.size, 1);
    }
    expect(inHand.nextLimit(0, now)).toBe(512);
  });

  it('is fetched again in good time while there is more, and only once it has been empty for a while when there is not', () => {
    fetch();
    expect(inHand.isTimeToFetch(now)).toBe(false);
    begin(6, 1);
    expect(inHand.isTimeToFetch(now)).toBe(true);
    fetch(3);
    begin(inHand.size, 250);
    expect(inHand.isTimeToFetch(now)).toBe(false);
    now += 1;
    expect(inHand.isTimeToFetch(now)).toBe(true);
  });

  it('is given back but for the first ones when a quick receiver has become slow', () => {
    fetch();
    begin(8, 1);
    fetch();
    const first = inHand.ids.slice(0, LEAST);
    now += 4000;
    expect(inHand.takeBackLate(now)).toEqual([]);
    now += 1;
    expect(inHand.takeBackLate(now)).toHaveLength(4 * LEAST - IN_FLIGHT - LEAST);
    expect(inHand.ids).toEqual(first);
    // For this receiver it is enough. What was given back is fetched later.
    expect(inHand.nextLimit(IN_FLIGHT, now)).toBe(0);
    begin(LEAST, 1);
    expect(inHand.isTimeToFetch(now)).toBe(true);
  });
});
