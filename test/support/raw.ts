import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes unchanged, as no HTTP client would. Returns what the server sends until it closes the connection. */
export function sendRaw(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    // A server may answer and close while we are still writing.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      chunks.length > 0 && ['ECONNRESET', 'EPIPE'].includes(error.code!) ? resolve(Buffer.concat(chunks).toString()) : reject(error),
    );
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

/** Sends bytes and disconnects without waiting for an answer. */
export function hangUpAfter(url: string, bytes: string | Buffer): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()));
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

/** The first answer in what a server sent. A chunked body is not decoded. */
export function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  const rest = Buffer.from(text.slice(end + 4));
  const body = headers.get('content-length') === undefined ? rest : rest.subarray(0, Number(headers.get('content-length')));
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString() };
}

/** A request as text. It asks to close the connection unless the headers say otherwise. */
export function requestText(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = { Host: 'localhost', Connection: 'close', ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }), ...headers };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}
