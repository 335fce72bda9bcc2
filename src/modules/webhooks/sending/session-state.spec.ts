import { beforeEach, describe, expect, it } from 'vitest';
import { DISABLED_AFTER_FAILING_MS } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { DueDelivery, Settled } from './due-deliveries.repository.js';
import { type Action, type SessionEvent, SessionState, type Work } from './session-state.js';

const CONCURRENCY = 2;
/** What a session asks for first. */
const PORTION = 4;
const START_MS = 1_800_000_000_000;

const READ = { environment: 'test', ordered: false, rateLimit: null, failingSince: null } as WebhookEndpoint;

let state: SessionState;
let passedMs: number;
let begun: readonly Action[];

const at = () => ({ now: new Date(START_MS + passedMs), elapsedMs: 10_000 + passedMs });
const iso = (ms = passedMs): string => new Date(START_MS + ms).toISOString();

/** A session of this endpoint that has begun. */
function session(endpoint: Partial<WebhookEndpoint> = {}): void {
  passedMs = 0;
  state = new SessionState({ ...READ, ...endpoint }, CONCURRENCY, at());
  begun = state.next(at());
}

/** What the state wants to be begun after these events. */
function after(...events: SessionEvent[]): readonly Action[] {
  for (const event of events) state.take(event, at());
  return (begun = state.next(at()));
}

function later(ms: number): readonly Action[] {
  passedMs += ms;
  return after();
}

const due = (...ids: string[]): DueDelivery[] => ids.map((id) => ({ id, attempt: 1, eventId: 'event', organizationId: 'o', bytes: 1 }));
const fetched = (...ids: string[]): SessionEvent => ({ kind: 'fetched', due: due(...ids) });
const written = (change: Partial<WebhookEndpoint> = {}): SessionEvent => ({ kind: 'written', endpoint: { ...READ, ...change } });
const renewed = (change: Partial<WebhookEndpoint> = {}): SessionEvent => ({ kind: 'renewed', endpoint: { ...READ, ...change } });
const told: SessionEvent = { kind: 'told' };
const failed = (work: Work): SessionEvent => ({ kind: 'failed', work, error: new Error(`${work.do} failed`) });

const resultOf = (id: string, change: Partial<Settled>): SessionEvent => ({
  kind: 'attemptEnded',
  id,
  result: { id, status: 'failed', responseStatus: 500, attemptedAt: iso(), nextId: null, ...change } as Settled,
});
const delivered = (id: string): SessionEvent => resultOf(id, { status: 'delivered', responseStatus: 200 });
const refused = (id: string, responseStatus = 500): SessionEvent => resultOf(id, { responseStatus, nextId: `retry of ${id}` });

/** What was begun last, in short: `send a`, `fetch`, `write a b`. Waits are left out. */
const short = (actions = begun): string[] => actions.filter((action) => action.do !== 'wait').map(inShort);

function inShort(action: Action): string {
  if (action.do === 'send') return `send ${action.due.id}`;
  if (action.do === 'write') return `write ${action.results.map(({ id }) => id).join(' ')}`;
  if (action.do === 'letGo') return `let go ${action.deliveries.map(({ id }) => id).join(' ')}`;
  if (action.do === 'disable') return `disable: ${action.reason}`;
  return action.do === 'end' && action.failure ? `end: ${(action.failure.error as Error).message}` : action.do;
}

const waitMs = (): number | undefined => begun.flatMap((action) => (action.do === 'wait' ? [action.ms] : []))[0];
const theOne = <T extends Action['do']>(wanted: T) => begun.find((action) => action.do === wanted) as Extract<Action, { do: T }>;

beforeEach(() => session());

describe('sending', () => {
  it('begins with a fetch, and ends at once if nothing is due', () => {
    expect(begun).toEqual([
      { do: 'fetch', limit: PORTION, known: [] },
      { do: 'wait', ms: 250 },
    ]);
    expect(short(after(fetched()))).toEqual(['end']);
    expect(state.phase).toBe('ended');
  });

  it('sends as many at once as it may, and the next when one has ended', () => {
    expect(short(after(fetched('a', 'b', 'c')))).toEqual(['send a', 'send b']);
    expect(short(after(delivered('a')))).toEqual(['send c']);
    expect(waitMs()).toBe(100);
  });

  it('fetches more in good time, without what it has', () => {
    after(fetched('a', 'b', 'c', 'd'));
    after(delivered('a'));
    expect(short(after(delivered('b')))).toEqual(['send d']);
    expect(short(after())).toEqual(['fetch']);
    expect(begun).toContainEqual({ do: 'fetch', limit: 16 - CONCURRENCY, known: ['c', 'd', 'a', 'b'] });
  });

  it('fetches now and then while a request hangs', () => {
    after(fetched('a'));
    expect(short(later(250))).toEqual([]);
    expect(short(later(1))).toEqual(['fetch']);
    expect(short(after(fetched('b')))).toEqual(['send b']);
  });

  it('waits for a fifth of a second after the last request, and sends at once what it is told of', () => {
    after(fetched('a'));
    expect(short(after(delivered('a')))).toEqual([]);
    expect(waitMs()).toBe(25);
    expect(short(later(25))).toEqual(['write a']);
    expect(short(after(written()))).toEqual([]);
    expect(waitMs()).toBe(175);
    expect(short(after(told))).toEqual(['fetch']);
    expect(short(after(fetched('b')))).toEqual(['send b']);
    expect(short(later(150))).toEqual([]);
    expect(short(after(delivered('b')))).toEqual([]);
    expect(short(later(50))).toEqual(['write b']);
    expect(short(after(written()))).toEqual(['end']);
  });

  it('fetches once more if it is told of more while it fetches', () => {
    expect(short(after(told))).toEqual([]);
    expect(short(after(fetched()))).toEqual(['fetch']);
    expect(short(after(fetched()))).toEqual(['end']);
  });

  it('of an ordered endpoint sends one, and writes its result before it fetches', () => {
    session({ ordered: true });
    expect(short(after(fetched('a', 'b', 'c', 'd')))).toEqual(['send a']);
    expect(short(after(delivered('a')))).toEqual(['send b']);
    expect(short(after(delivered('b')))).toEqual(['send c']);
    expect(short(after(delivered('c')))).toEqual(['send d']);
    expect(short(after(delivered('d')))).toEqual(['write a b c d']);
    expect(short(later(100))).toEqual([]);
    expect(short(after(written({ ordered: true })))).toEqual(['fetch']);
  });

  it('waits for the rate limit, and goes on when the time has come', () => {
    session({ rateLimit: 100 });
    expect(short(after(fetched('a', 'b')))).toEqual(['send a']);
    expect(waitMs()).toBe(250);
    later(400);
    expect(waitMs()).toBe(200);
    expect(short(later(200))).toContain('send b');
  });

  it('gives the endpoint back when the rate limit makes it wait for more than a second', () => {
    session({ rateLimit: 30, nextSendAt: iso(1001) });
    expect(short()).toEqual(['end']);
    session({ rateLimit: 30 });
    expect(short(after(fetched('a', 'b')))).toEqual(['send a']);
    expect(short(after())).toEqual(['let go b']);
    expect(short(after(delivered('a')))).toEqual(['write a']);
    expect(theOne('write').nextSendAt).toEqual(new Date(START_MS + 2000));
    expect(state.notBefore(new Date(0), at().now)).toEqual(new Date(START_MS + 2000));
  });

  it('gives back what a receiver that has become slow would get too late', () => {
    after(fetched('a', 'b', 'c', 'd'));
    after(delivered('a'), delivered('b'));
    after();
    after(fetched('e', 'f', 'g', 'h', 'i', 'j'));
    expect(short(later(4000))).toEqual(['write a b']);
    expect(short(later(1))).toEqual(['let go i j']);
  });
});

describe('results', () => {
  const ids = Array.from({ length: 99 }, (_none, index) => `${index}`);

  it('are written when there are a hundred', () => {
    after(fetched('a', 'b', 'c', 'd'));
    expect(short(after(...ids.map(delivered)))).toEqual([]);
    expect(short(after(delivered('a')))).toEqual([`write ${ids.join(' ')} a`, 'send c']);
  });

  it('are written when the first has waited for a second, or for a quarter of one with a retry among them', () => {
    after(fetched('a', 'b', 'c', 'd'));
    passedMs = 10;
    after(renewed());
    after(delivered('a'));
    expect(short(later(999))).toEqual([]);
    expect(waitMs()).toBe(1);
    expect(short(later(1))).toEqual(['write a']);
    after(written(), refused('b'));
    expect(short(later(249))).toEqual(['fetch']);
    expect(short(later(1))).toEqual(['write b']);
  });

  it('are written soon when nothing more is to be sent', () => {
    after(fetched('a', 'b'));
    after(delivered('a'));
    expect(short(later(99))).toEqual([]);
    expect(short(later(1))).toEqual(['write a']);
  });

  it('that come while others are written wait for these', () => {
    after(fetched('a', 'b', 'c'));
    after(delivered('a'));
    later(100);
    expect(short(after(delivered('b')))).toEqual([]);
    expect(short(later(100))).toEqual([]);
    expect(short(after(written()))).toEqual(['write b']);
  });
});

describe('renewing', () => {
  it('reads the endpoint again after a second without results, and begins nothing new meanwhile', () => {
    after(fetched('a', 'b', 'c'));
    expect(short(later(999))).toEqual([]);
    expect(short(later(1))).toEqual(['renew']);
    expect(state.phase).toBe('renewing');
    expect(after(delivered('a'))).toEqual([]);
    expect(short(after(renewed()))).toEqual(['send c']);
    expect(state.phase).toBe('sending');
  });

  it('is not needed while results are written, since that reads the endpoint too', () => {
    after(fetched('a', 'b', 'c', 'd'));
    passedMs = 950;
    after(delivered('a'));
    expect(waitMs()).toBe(50);
    expect(short(later(50))).toEqual(['write a']);
    expect(short(later(50))).toEqual([]);
  });

  it('takes over a new rate limit', () => {
    session({ rateLimit: 60 });
    after(fetched('a', 'b'));
    later(1000);
    expect(short(after(renewed({ rateLimit: 6000 })))).toEqual(['send b']);
    expect(state.endpoint.rateLimit).toBe(6000);
  });
});

describe('finishing', () => {
  beforeEach(() => after(fetched('a', 'b', 'c', 'd')));

  it('lets go what is in hand when the process stops, and writes the results of what is in flight', () => {
    expect(short(after({ kind: 'stopping' }))).toEqual(['let go c d']);
    expect(state.phase).toBe('finishing');
    expect(short(after(delivered('a')))).toEqual([]);
    expect(short(after(delivered('b')))).toEqual(['write a b']);
    expect(state.phase).toBe('writing');
    expect(short(after(written()))).toEqual(['end']);
  });

  it('lets go what a fetch brings too late', () => {
    after(delivered('a'), delivered('b'));
    after();
    after({ kind: 'stopping' });
    expect(short(after(fetched('e', 'f')))).toEqual(['let go e f']);
  });

  it('follows when the order or the environment has changed, or the lease is lost', () => {
    const changes = [{ ordered: true }, { environment: 'live' } as const].map(renewed);
    for (const event of [...changes, { kind: 'renewed', endpoint: undefined } as const]) {
      session();
      after(fetched('a', 'b', 'c'));
      later(1000);
      expect(short(after(event))).toEqual(['let go c']);
      expect(state.phase).toBe('finishing');
    }
  });

  it('follows when an event cannot be sent now: it stays pending', () => {
    expect(short(after({ kind: 'attemptEnded', id: 'a', result: undefined }))).toEqual(['let go c d']);
    expect(short(after(delivered('b')))).toEqual(['write b']);
  });

  it('follows when an attempt of an ordered endpoint fails: its retry comes first', () => {
    session({ ordered: true });
    after(fetched('a', 'b'));
    expect(short(after(refused('a')))).toEqual(['let go b', 'write a']);
    expect(theOne('write').results[0]?.nextId).toBe('retry of a');
    expect(short(after(written({ ordered: true })))).toEqual(['end']);
    expect(state.notBefore(new Date(0), at().now)).toEqual(new Date(START_MS + 250));
  });

  it('does not follow when an attempt of another endpoint fails', () => {
    expect(short(after(refused('a')))).toEqual(['send c']);
  });

  it('follows when a fetch fails. The results of what is in flight are written, and then the session ends with the error', () => {
    after(delivered('a'), delivered('b'));
    expect(short(after())).toEqual(['fetch']);
    expect(short(after(failed(theOne('fetch'))))).toEqual([]);
    after(delivered('c'));
    expect(short(after(delivered('d')))).toEqual(['write a b c d']);
    expect(short(after(written()))).toEqual(['end: fetch failed']);
  });

  it('waits for a renewal that runs', () => {
    later(1000);
    after({ kind: 'stopping' }, delivered('a'), delivered('b'));
    expect(short()).toEqual(['let go c d']);
    expect(short(after(renewed()))).toEqual(['write a b']);
  });

  it('ends with the first error, also when the results cannot be written', () => {
    after(failed({ do: 'send', due: due('a')[0]! }), delivered('b'));
    expect(short(after(failed(theOne('write'))))).toEqual(['end: send failed']);
  });
});

describe('disabling', () => {
  beforeEach(() => after(fetched('a', 'b', 'c')));

  it('follows an answer of 410 once the requests in flight have ended, and nothing is retried', () => {
    expect(short(after(refused('a', 410)))).toEqual(['let go c']);
    expect(short(after(refused('b')))).toEqual(['write a b']);
    expect(theOne('write').results.map(({ nextId }) => nextId)).toEqual([null, null]);
    expect(short(after(written()))).toEqual(['disable: gone']);
    expect(state.phase).toBe('disabling');
    expect(short(after({ kind: 'disabled' }))).toEqual(['end']);
  });

  it('follows a failure after days of failures', () => {
    session({ failingSince: iso(-DISABLED_AFTER_FAILING_MS) });
    after(fetched('a'));
    after(refused('a'));
    expect(short(after(written()))).toEqual(['disable: failing']);
  });

  it('does not follow if another request in flight has succeeded', () => {
    session({ failingSince: iso(-DISABLED_AFTER_FAILING_MS) });
    after(fetched('a', 'b'));
    after(refused('a'));
    after(delivered('b'));
    expect(short(after(written()))).toEqual(['end']);
  });

  it('follows 410 even if another request has succeeded', () => {
    after(refused('a', 410), delivered('b'));
    expect(short(after(written()))).toEqual(['disable: gone']);
  });

  it('counts from the first failure, unless the endpoint was read after a success', () => {
    session({ failingSince: iso(-DISABLED_AFTER_FAILING_MS) });
    after(fetched('a', 'b', 'c', 'd'));
    later(1000);
    after(renewed({ failingSince: null }), refused('a'));
    expect(short(later(250))).toEqual(['write a']);
    expect(state.phase).toBe('sending');
  });

  it('is left to the next session if something has failed', () => {
    after(refused('a', 410), failed({ do: 'send', due: due('b')[0]! }));
    expect(short(after(written()))).toEqual(['end: send failed']);
  });

  it('may fail', () => {
    after(refused('a', 410), delivered('b'));
    after(written());
    expect(short(after(failed(theOne('disable'))))).toEqual(['end: disable failed']);
  });
});
