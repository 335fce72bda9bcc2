import { connect, type Socket } from 'node:net';
import { readAnswer, type RawAnswer } from '../support/raw.js';

export interface GeneratedRequest {
  /** What the request was made from, such as `POST /v1/webhooks`. */
  readonly route: string;
  readonly method: string;
  readonly bytes: Buffer;
  /** Whether the body ends where the headers say. Then exactly one answer is due. */
  readonly isFramed: boolean;
}

export interface Received {
  /** undefined: the server closed the connection without an answer. */
  readonly answer?: RawAnswer;
  /** What came after the answer. */
  readonly rest: string;
}

const PATIENCE_MS = 30_000;

/** One connection after the other, each kept for as long as the server keeps it. Sends bytes unchanged, as no HTTP client would. */
export class RawConnection {
  private socket?: Socket;

  constructor(private readonly url: string) {}

  async send(request: GeneratedRequest): Promise<Received> {
    const socket = request.isFramed && this.socket?.writable ? this.socket : this.open();
    this.socket = undefined;
    const received = await exchange(socket, request);
    const keeps = request.isFramed && received.answer !== undefined && received.answer.headers.get('connection') !== 'close';
    if (keeps && socket.writable) this.socket = socket;
    else socket.destroy();
    return received;
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const { hostname, port } = new URL(this.url);
    return connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true }).on('error', () => undefined);
  }
}

function exchange(socket: Socket, { method, bytes, isFramed }: GeneratedRequest): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const done = (ended: boolean): void => {
      const answer = firstAnswer(Buffer.concat(chunks), method, ended);
      if (!answer && !ended) return;
      socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('end');
      clearTimeout(timer);
      resolve(answer ?? { rest: '' });
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer after ${PATIENCE_MS} ms to ${JSON.stringify(bytes.toString('latin1').slice(0, 2000))}`));
    }, PATIENCE_MS);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (isFramed) done(false);
    });
    socket.once('end', () => done(true));
    socket.once('close', () => done(true));
    socket.write(bytes);
    // The server would wait for the rest of a body that is shorter than its length.
    if (!isFramed) socket.end();
  });
}

const CONTINUE = /^HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/;

/** The first answer, if it is complete or nothing more will come. */
function firstAnswer(received: Buffer, method: string, ended: boolean): Received | undefined {
  const text = received.toString('latin1').replace(CONTINUE, '');
  const end = text.indexOf('\r\n\r\n') + 4;
  if (end < 4) return undefined;
  const answer = readAnswer(text.slice(0, end));
  const length = lengthOf(text.slice(end), answer, method);
  if (length === undefined && !ended) return undefined;
  const body = text.slice(end, length === undefined ? undefined : end + length);
  return { answer: { ...answer, body }, rest: length === undefined ? '' : text.slice(end + length) };
}

/** How many bytes the body of an answer has; undefined if it is not complete. */
function lengthOf(rest: string, { status, headers }: RawAnswer, method: string): number | undefined {
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  const stated = headers.get('content-length');
  if (stated !== undefined) return rest.length >= Number(stated) ? Number(stated) : undefined;
  if (headers.get('transfer-encoding') !== 'chunked') return undefined;
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = parseInt(rest.slice(at, line), 16);
    at = line + 2 + size + 2;
    if (at > rest.length) return undefined;
    if (size === 0) return at;
  }
}
