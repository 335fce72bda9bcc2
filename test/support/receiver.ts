import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
  readonly at: number;
}

/** How a receiver responds; with 200 by default. */
export type Answer = (received: Received, response: ServerResponse) => void;

/** A receiver of webhooks: an HTTP server that records its requests. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = (_received, response) => void response.writeHead(200).end('ok');

  private constructor(
    private readonly server: Server,
    private readonly protocol: 'http' | 'https',
  ) {}

  /** With a key and a certificate it serves HTTPS. */
  static async start(tls?: { key: string; cert: string }): Promise<Receiver> {
    const server = tls ? createSecureServer(tls) : createServer();
    const receiver = new Receiver(server, tls ? 'https' : 'http');
    // A test that forgets to close it must not keep the process alive.
    server.unref();
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = {
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          path: request.url ?? '',
          at: performance.now(),
        };
        receiver.received.push(received);
        receiver.answer(received, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `${this.protocol}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
