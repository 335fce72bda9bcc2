import { connect } from 'node:net';
import pg from 'pg';

const TICK_MS = 800;
const PROBE_TIMEOUT_MS = 1500;
/** Asks a Postgres, or a pooler in front of it, whether it speaks TLS: answered with one byte, without signing in. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Tells a database that is silent from one that is slow. A statement may take half a minute, but a server that takes bytes and
 * returns none must not keep a caller waiting for as long. If nothing was answered for a whole tick, the server is asked for a
 * sign of life on a connection of its own. While it is silent, calls fail at once, and each tick asks again. The addresses that connections
 * lead to are asked, too: the name of a server that was lost may lead to another one by now.
 */
export class SilenceWatch {
  isSilent = false;
  private begun = 0;
  private ended = 0;
  /** What had begun and ended at the last tick. */
  private before = { begun: 0, ended: 0 };
  private isAsking = false;
  private readonly timer: NodeJS.Timeout;

  /** `onSilent` ends everything that waits for an answer, or what waits for one of an address. */
  constructor(
    private readonly url: string,
    private readonly onSilent: (address?: string) => void,
    private readonly addressesInUse: () => Iterable<string>,
  ) {
    this.timer = setInterval(() => void this.tick(), TICK_MS).unref();
  }

  /** Counts what waits for the database. Does nothing else: this is on the path of every statement. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.isSilent) throw new Error('The database is silent.');
    this.begun += 1;
    try {
      return await work();
    } finally {
      this.ended += 1;
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async tick(): Promise<void> {
    const { before } = this;
    this.before = { begun: this.begun, ended: this.ended };
    const nothingAnswered = before.begun > before.ended && this.ended === before.ended;
    if (this.isAsking || !(this.isSilent || nothingAnswered)) return;
    this.isAsking = true;
    const wasSilent = this.isSilent;
    const silent = [...this.addressesInUse()].map(async (address) => (await givesSignOfLife(this.url, address)) || this.onSilent(address));
    this.isSilent = !(await givesSignOfLife(this.url));
    await Promise.all(silent);
    this.isAsking = false;
    if (this.isSilent && !wasSilent) this.onSilent();
  }
}

/** A refusal is a sign of life, too: the next caller learns of it at once. */
function givesSignOfLife(url: string, address?: string): Promise<boolean> {
  const { host, port } = new pg.Client(url);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, address ?? host);
  return new Promise((resolve) => {
    const finish = (answered: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    };
    // After a turn of the event loop: if this process was busy, the answer may be here and not be read yet.
    const timer = setTimeout(() => setImmediate(finish, false), PROBE_TIMEOUT_MS);
    socket.once('connect', () => socket.write(SSL_REQUEST));
    for (const event of ['data', 'end', 'close']) socket.once(event, () => finish(true));
    socket.on('error', () => finish(true));
  });
}
