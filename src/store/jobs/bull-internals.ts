import type { Queue } from 'bull';

// What we use of Bull and of Nest's module for it beyond their documentation. bull-internals.spec.ts watches it.

/**
 * Cuts the queue's connections to Redis at once. `queue.close()` waits for Redis, which may be down. To disconnect one that has
 * ended would keep the process alive for another two seconds.
 */
export function disconnectClients(queue: Queue): void {
  for (const client of queue.clients) if (client.status !== 'end') client.disconnect();
}

/** Nest's module makes the queue close itself at shutdown and waits for that. It no longer does after this. */
export function keepNestFromClosing(queue: Queue): void {
  Object.assign(queue, { onApplicationShutdown: undefined });
}
