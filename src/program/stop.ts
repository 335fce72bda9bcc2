import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../kernel/log.js';

/** Called in their order when the process is told to stop. */
export type Stops = (() => Promise<void> | void)[];

/** The message by which a process stops those that it has started. */
export const STOP = 'stop';
/** What a shell reports of a process that SIGTERM has ended. */
const TERMINATED = 143;

/** The first process of a container ignores signals that it does not handle: one that starts or migrates would run until it is killed. */
export function endOnSignal(): void {
  process.once('SIGTERM', () => {
    if (process.listenerCount('SIGTERM') === 0) process.exit(TERMINATED);
  });
}

/** A second signal ends it at once, unless another process has started it, which says when to stop: a terminal may signal both. */
export function stopOnSignal(stops: Stops, log: Log): void {
  let stopping = false;
  let signals = 0;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // Closing a connection rejects the queries still on it. That must not end the process before the rest has stopped.
    process.on('unhandledRejection', (error) => log.debug({ err: error }, 'query cut off by the stop'));
    log.info('stopping');
    for (const next of stops) await (async () => next())().catch((error: unknown) => log.error({ err: error }, 'stop failed'));
    log.flush(() => process.exit());
  };
  const onSignal = (): void => {
    signals += 1;
    if (signals > 1) process.exit(1);
    void stop();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  if (!process.connected) return;
  process.on('message', (message) => void (message === STOP && stop()));
  process.once('disconnect', () => void stop());
}

/** Until load balancers have noticed. Each answer is the last one of its connection, so that hardly any is closed under a request. */
export async function drain(server: Server, delayMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => response.setHeader('Connection', 'close'));
  await delay(delayMs);
}
