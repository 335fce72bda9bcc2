import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../kernel/log.js';

/** Called in their order when the process is told to stop. */
export type Stops = (() => Promise<void> | void)[];

/** The message by which a process stops those that it has started. */
export const STOP = 'stop';
/** What a shell reports of a process that SIGTERM has ended. */
const TERMINATED = 143;

/**
 * Ends the process on SIGTERM while nothing else handles the signal. The first process of a container ignores signals that it does not
 * handle, so one that starts or migrates would run on until it is killed.
 */
export function endOnSignal(): void {
  process.once('SIGTERM', () => {
    if (process.listenerCount('SIGTERM') === 0) process.exit(TERMINATED);
  });
}

/**
 * Stops on SIGINT and SIGTERM. A second signal ends the process at once. A process that another one has started stops when that one says
 * so, or is gone: no second signal, since a terminal or a service manager may send theirs to both.
 */
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

/**
 * Goes on serving until load balancers have noticed that the process is no longer ready. Each answer is the last one on its
 * connection, so at the end callers hardly have any that could be closed while they send a request.
 */
export async function drain(server: Server, delayMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => response.setHeader('Connection', 'close'));
  await delay(delayMs);
}
