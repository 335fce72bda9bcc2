import type pg from 'pg';

const held = new WeakSet<object>();

/**
 * Holds back what is written to a connection in this turn of the event loop, so that it leaves as one packet: a packet costs
 * more than the statement in it. To be called before the statements of the turn.
 */
export function gather(client: pg.PoolClient): void {
  if (held.has(client)) return;
  const { stream } = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection;
  held.add(client);
  stream.cork();
  setImmediate(() => {
    held.delete(client);
    stream.uncork();
  });
}
