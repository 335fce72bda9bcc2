import { BullModule, getQueueToken } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Queue } from 'bull';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { disconnectClients, keepNestFromClosing } from './bull-internals.js';

const NAME = 'internals';
/** Nothing listens there. */
const redis = { port: 1, lazyConnect: true, retryStrategy: () => null };
const UPGRADE = 'An upgrade of bull or @nestjs/bull took away what bull-internals.ts uses: adapt that file.';

let queue: Queue;
beforeAll(async () => {
  @Module({ imports: [BullModule.registerQueue({ name: NAME, redis })] })
  class Program {}
  const app = await NestFactory.createApplicationContext(Program, { logger: false, abortOnError: false });
  queue = app.get<Queue>(getQueueToken(NAME));
  queue.on('error', () => undefined);
});
afterAll(() => disconnectClients(queue));

it('Bull lists the connections of a queue in `clients`', () => {
  const { client } = queue;
  expect(queue.clients, UPGRADE).toContain(client);
});

it('Nest closes a queue in its `onApplicationShutdown`, unless it is taken off', () => {
  expect(queue, UPGRADE).toHaveProperty('onApplicationShutdown', expect.any(Function));
  keepNestFromClosing(queue);
  expect(queue).toHaveProperty('onApplicationShutdown', undefined);
});
