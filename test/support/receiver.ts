import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
  readonly at: number;
}

/** How a receiver answers; by itself with 200. */
export type Answer = (received: Received, response: ServerResponse) => void;

/** A receiver of webhooks: a real HTTP server that keeps what it was sent. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = (_received, response) => void response.writeHead(200).end('ok');

  private constructor(
    private readonly server: Server,
    private readonly protocol: 'http' | 'https',
  ) {}

  /** With key and certificate it speaks TLS. */
  static async start(tls?: { key: string; cert: string }): Promise<Receiver> {
    const server = tls ? createSecureServer(tls) : createServer();
    const receiver = new Receiver(server, tls ? 'https' : 'http');
    // Whoever forgets to close it need not wait for it.
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
