import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
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

/** How long the queue of connections is emptied at most: callers without a load balancer go on connecting. */
const LAST_CONNECTIONS_MS = 1000;
/** In a longer turn of the event loop, a connection may have come after the last was taken. */
const SHORT_TURN_MS = 0.2;
/** The first pause between connections that is waited for, as a part of the longest wait. */
const PAUSE = 50;
/** A connection that was opened in advance must not keep the process, so its headers have no more time than this. */
const LAST_HEADERS_MS = 2000;

/** Accepts calls until load balancers have noticed, then ends those begun. Each answer is the last one of its connection. */
export async function drain(server: Server, delayMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => response.setHeader('Connection', 'close'));
  await delay(delayMs);
  await stopListening(server);
  server.headersTimeout = Math.min(server.headersTimeout, LAST_HEADERS_MS);
  server.closeIdleConnections();
  await once(server, 'close');
}

/**
 * Closing a listening socket resets the connections that wait in its queue, and Node takes one of them in each turn of its event loop. So
 * the queue is emptied first. Meanwhile no call is read: a caller that was answered would connect again.
 */
async function stopListening(server: Server): Promise<void> {
  const taken: Socket[] = [];
  const readers = server.listeners('connection') as ((socket: Socket) => void)[];
  let [now, turn, last] = [performance.now(), 0, performance.now()];
  server.removeAllListeners('connection').on('connection', (socket) => {
    taken.push(socket.on('error', () => undefined));
    last = performance.now();
  });
  // Callers who have just had an answer connect within milliseconds. Where many come, the wait for a pause in between becomes shorter.
  for (const end = now + LAST_CONNECTIONS_MS; now < end && (turn > SHORT_TURN_MS || now - last < (end - now) / PAUSE);) {
    await nextTurn();
    [turn, now] = [performance.now() - now, performance.now()];
  }
  // Not the method of the HTTP server: it would end the check for callers that are too slow.
  Listener.prototype.close.call(server);
  for (const socket of taken) for (const read of readers) read.call(server, socket);
}
