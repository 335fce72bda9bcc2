import { BullModule, getQueueToken } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Queue } from 'bull';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { disconnectAll, keepNestFromClosing } from './bull-wake-ups.js';

const NAME = 'internals';
/** Nothing listens there. */
const redis = { port: 1, lazyConnect: true, retryStrategy: () => null };
const UPGRADE = 'An upgrade of bull or @nestjs/bull took away what bull-wake-ups.ts uses: adapt that file.';

let queue: Queue;
beforeAll(async () => {
  @Module({ imports: [BullModule.registerQueue({ name: NAME, redis })] })
  class Program {}
  const app = await NestFactory.createApplicationContext(Program, { logger: false, abortOnError: false });
  queue = app.get<Queue>(getQueueToken(NAME));
  queue.on('error', () => undefined);
});
afterAll(() => disconnectAll(queue.clients));

it('Nest closes a queue in its `onApplicationShutdown`, unless that is removed', () => {
  expect(queue, UPGRADE).toHaveProperty('onApplicationShutdown', expect.any(Function));
  keepNestFromClosing(queue);
  expect(queue).toHaveProperty('onApplicationShutdown', undefined);
});

it('a connection that has ended is not disconnected again: that would keep the process alive for two seconds', () => {
  const { client } = queue;
  const disconnect = vi.spyOn(client, 'disconnect');
  vi.spyOn(client, 'status', 'get').mockReturnValue('end');
  disconnectAll([client]);
  expect(disconnect).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
