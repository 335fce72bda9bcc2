import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AnsweredCalls, type AnsweredCall } from '../../api/call/call.js';
import type { Log } from '../../kernel/log.js';
import { Clock } from '../../kernel/time.js';
import { UsageCounter } from './usage.service.js';
import type { UsageBatch, UsageRepository } from './usage.repository.js';

// Nothing is written at an interval meanwhile.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A counter whose writes end when the test says so, and a way to answer requests. */
function aCounter() {
  const writes: { batch: UsageBatch; end: () => void }[] = [];
  const calls = new AnsweredCalls({ info: () => undefined } as unknown as Log);
  const add = (batch: UsageBatch) => new Promise<void>((end) => void writes.push({ batch, end }));
  const counter = new UsageCounter(calls, { add } as unknown as UsageRepository, new Clock(), {} as Log);
  counter.onModuleInit();
  const answer = (organizationId: string): void => {
    const caller = { type: 'api_key', id: organizationId, organization: { id: organizationId }, environment: 'test' };
    calls.tell({ caller, operation: { capability: 'api', isWrite: false }, status: 200, isCounted: true } as AnsweredCall);
  };
  return { counter, writes, answer };
}

const turn = (): Promise<void> => new Promise(setImmediate);

it('all who ask during a write share the next one, with the counts of all', async () => {
  const { counter, writes, answer } = aCounter();
  answer('a');
  const first = counter.write();
  await turn();
  const asked = Array.from({ length: 1000 }, (_, index) => {
    answer(`tenant ${index}`);
    return counter.write();
  });
  writes[0]!.end();
  await first;
  await turn();
  expect(writes.map(({ batch }) => batch.counts.length)).toEqual([1, 1000]);
  writes[1]!.end();
  await Promise.all(asked);
  expect(writes).toHaveLength(2);
});

it('a write ends although requests keep coming in', async () => {
  const { counter, writes, answer } = aCounter();
  answer('a');
  const written = counter.write();
  await turn();
  answer('b');
  writes[0]!.end();
  await written;
  expect(writes).toHaveLength(1);
});
