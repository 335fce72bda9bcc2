import type { Queue } from 'bull';
import type { RedisClient } from '../redis/connect-redis.js';

// What we use of Bull and of Nest's module for it beyond their documentation. bull-internals.spec.ts watches it.

/**
 * Cuts connections to Redis at once. To disconnect one that has ended would keep the process alive for another two seconds.
 */
export function disconnectAll(connections: readonly RedisClient[]): void {
  for (const client of connections) if (client.status !== 'end') client.disconnect();
}

/** Nest's module makes the queue close itself at shutdown and waits for that. It no longer does after this. */
export function keepNestFromClosing(queue: Queue): void {
  Object.assign(queue, { onApplicationShutdown: undefined });
}
