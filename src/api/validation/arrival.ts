import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../kernel/problems.js';
import { MS_FOR_EACH_MIB, SLOWEST_BODY } from '../../kernel/product.js';

const MIB = 1024 * 1024;
/** Bytes that add less are too few. */
const LEAST_MS = 1000;
/** How long a refused client has to read the answer and close the connection. Then we close it. */
export const LINGER_MS = 1000;
/** Called when Node's time for a request is over, for each connection whose body is being read. */
const overdue = new WeakMap<Socket, () => void>();

export function watchArrival(raw: IncomingMessage, refuse: (problem: Problem) => void): void {
  if (raw.complete) return;
  const { socket } = raw;
  let longer: NodeJS.Timeout | undefined;
  let [counted, paid, isFirst] = [socket.bytesRead, socket.bytesRead, true];
  const stop = (): void => {
    clearInterval(watch);
    clearTimeout(longer);
    overdue.delete(socket);
  };
  const giveUp = (): void => {
    stop();
    refuse(tooSlow('The body arrived too slowly. Send it again on a faster connection, or in smaller parts.'));
    // What drips on after the answer must not keep the connection.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
  const watch = setInterval(() => {
    if (!isFirst && socket.bytesRead - counted < SLOWEST_BODY.bytes) giveUp();
    [counted, isFirst] = [socket.bytesRead, false];
  }, SLOWEST_BODY.inMs).unref();
  const giveTime = (): void => {
    const ms = ((socket.bytesRead - paid) / MIB) * MS_FOR_EACH_MIB;
    paid = socket.bytesRead;
    if (ms < LEAST_MS) giveUp();
    else longer = setTimeout(giveTime, ms).unref();
  };
  overdue.set(socket, giveTime);
  raw.once('close', stop);
}

/** What answers a request that arrived too slowly. Node may serve no further request of the connection, so the answer closes it. */
export const tooSlow = (detail?: string): Problem =>
  new Problem('request_timeout', { headers: { Connection: 'close' }, ...(detail !== undefined && { detail }) });

/** Leaves it to what reads the body. False if nothing does: no headers have arrived, or the call still waits or has its answer. */
export function isBodyOverdue(socket: Socket): boolean {
  const giveTime = overdue.get(socket);
  giveTime?.();
  return giveTime !== undefined;
}
