import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './kernel/log.js';

/** Called in their order when the process is told to stop. */
export type Stops = (() => Promise<void> | void)[];

/** Stops on SIGINT and SIGTERM. A second signal ends the process at once. */
export function stopOnSignal(stops: Stops, log: Log): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    // Closing a connection rejects the queries still on it. That must not end the process before the rest has stopped.
    process.on('unhandledRejection', (error) => log.debug({ err: error }, 'query cut off by the stop'));
    log.info('stopping');
    for (const next of stops) await (async () => next())().catch((error: unknown) => log.error({ err: error }, 'stop failed'));
    log.flush(() => process.exit(0));
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
}

/**
 * Goes on serving until load balancers have noticed that the process is no longer ready. Each answer is the last one on its
 * connection, so at the end callers hardly have any that could be closed while they send a request.
 */
export async function drain(server: Server, delayMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => response.setHeader('Connection', 'close'));
  await delay(delayMs);
}
