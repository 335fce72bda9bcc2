import { Global, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog, Log } from '../../kernel/log.js';
import { Settings } from '../../kernel/settings/settings.js';
import { DiscoveryModule } from '../store.module.js';
import { Implements } from '../discovery/ports.js';
import { FileStoreAway, FileStoreCalls } from './file-store-calls.js';
import { FileStore } from './file-store.js';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Does what a store can do at its worst: it neither answers, nor listens to its signal. */
@Implements(FileStore)
@Injectable()
class SilentStore implements FileStore {
  readonly takesNewFiles = true;
  aborted = 0;
  put(_key: string, _file: object, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => (this.aborted += 1));
    return never();
  }
  open(): Promise<AsyncIterable<Uint8Array>> {
    return Promise.resolve({ [Symbol.asyncIterator]: () => ({ next: () => never<IteratorResult<Uint8Array>>() }) });
  }
  remove(): Promise<void> {
    return never();
  }
}

const LOG = { provide: Log, useValue: createLog(Settings.from({ LOG_LEVEL: 'silent' })) };
@Global()
@Module({ providers: [LOG], exports: [LOG] })
class LogModule {}

async function callsOf(...providers: (new () => FileStore)[]) {
  @Module({ imports: [LogModule, DiscoveryModule], providers: [...providers, FileStoreCalls] })
  class Program {}
  const program = await NestFactory.createApplicationContext(Program, { logger: false });
  return { calls: program.get(FileStoreCalls), store: providers.length > 0 ? program.get(SilentStore) : undefined };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const putTo = (calls: FileStoreCalls, organizationId: string) =>
  calls
    .put(organizationId, (store, signal) => store.put('key', {} as never, signal))
    .then(
      () => undefined,
      (error: unknown) => error,
    );

it('a store that never answers is given up after thirty seconds for a file, and told so', async () => {
  const { calls, store } = await callsOf(SilentStore);
  const put = putTo(calls, 'a');
  await vi.advanceTimersByTimeAsync(29_999);
  expect(store!.aborted).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(await put).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '5' } });
  expect(store!.aborted).toBe(1);
});

it('one that is silent while it sends a file, or removes one, is given up after ten seconds', async () => {
  const { calls } = await callsOf(SilentStore);
  const opened = (await calls.open('a', 'key'))!;
  const outcomes = [opened.next(), calls.remove('a', 'key')].map((call) => call.catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(10_000);
  for (const error of await Promise.all(outcomes)) expect(error).toBeInstanceOf(FileStoreAway);
});

it('an organization whose calls all hang leaves room for others, and its own next calls are refused after five seconds', async () => {
  const { calls } = await callsOf(SilentStore);
  const hanging = Array.from({ length: 24 }, () => putTo(calls, 'a'));
  const next = putTo(calls, 'a');
  await vi.advanceTimersByTimeAsync(5000);
  expect(await next).toMatchObject({ code: 'unavailable', message: 'The file store is busy at the moment.' });
  let asked = false;
  const other = calls.put('b', () => Promise.resolve(void (asked = true)));
  await other;
  expect(asked).toBe(true);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await Promise.all(hanging)).toHaveLength(24);
  await calls.put('a', () => Promise.resolve());
});

it('a file that is elsewhere is refused where no extension has a store', async () => {
  const { calls } = await callsOf();
  expect(calls.store).toBeUndefined();
  await expect(calls.open('a', 'key')).rejects.toThrow('no extension of this installation offers');
});
