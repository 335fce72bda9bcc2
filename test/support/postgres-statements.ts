import { TcpProxy, type Link } from './tcp-proxy.js';

const QUERY = 0x51;
const PARSE = 0x50;
const BIND = 0x42;

/** One statement, with the bytes that the client sends for it. */
interface SentStatement {
  readonly bytes: Buffer;
  readonly text: string;
}

/** Parses the statements that a client sends to Postgres on one connection (protocol 3). */
class StatementReader {
  private rest = Buffer.alloc(0);
  private pending: Buffer[] = [];
  private text = '';
  private started = false;
  private readonly prepared = new Map<string, string>();

  /** The statements that this chunk completes. The startup messages count as a statement without text. */
  read(chunk: Buffer): SentStatement[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const complete: SentStatement[] = [];
    for (let message = this.take(); message; message = this.take()) {
      const type = this.started ? message[0]! : 0;
      this.pending.push(message);
      if (this.started) this.note(type, message);
      this.started = true;
      const isPartOfStatement = [PARSE, BIND, 0x44, 0x45].includes(type);
      if (!isPartOfStatement) complete.push(this.finish());
    }
    return complete;
  }

  private take(): Buffer | undefined {
    // The very first message has no type byte before its length.
    const head = this.started ? 1 : 0;
    if (this.rest.length < head + 4) return undefined;
    const length = head + this.rest.readInt32BE(head);
    if (this.rest.length < length) return undefined;
    const message = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return message;
  }

  private note(type: number, message: Buffer): void {
    const texts = message.subarray(5).toString('latin1').split('\0');
    if (type === QUERY) this.text = texts[0]!;
    if (type === PARSE) this.prepared.set(texts[0]!, texts[1]!);
    if (type === BIND) this.text = this.prepared.get(texts[1]!) ?? '';
  }

  private finish(): SentStatement {
    const statement = { bytes: Buffer.concat(this.pending), text: this.text };
    this.pending = [];
    this.text = '';
    return statement;
  }
}

/** A proxy in front of Postgres that separates statements. */
export class StatementProxy {
  /** Called with each statement; decides whether to pass it on. Startup and termination messages always pass. */
  handle: ((text: string, link: Link, pass: () => void) => void) | undefined;

  static async to(databaseUrl: string): Promise<StatementProxy> {
    return new StatementProxy(await TcpProxy.to(databaseUrl));
  }

  // Reads from the first byte, because statements cannot be found in the middle of a stream.
  private constructor(readonly tcp: TcpProxy) {
    const readers = new WeakMap<Link, StatementReader>();
    tcp.intercept = (chunk, link) => {
      const reader = readers.get(link) ?? new StatementReader();
      readers.set(link, reader);
      for (const { bytes, text } of reader.read(chunk)) {
        // If the connection was lost at a statement, the rest of its packet is lost too.
        if (link.client.destroyed) return;
        const pass = (): void => void link.server.write(bytes);
        if (text === '' || !this.handle) pass();
        else this.handle(text, link, pass);
      }
    };
  }
}
