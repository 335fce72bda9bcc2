import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A collector of OpenTelemetry. */
export interface Collector {
  readonly url: string;
  /** The traces that it was sent, as JSON. */
  readonly sent: string[];
  /** The metrics, as JSON. */
  readonly metrics: string[];
  /** The headers of the last of either. */
  headers: IncomingHttpHeaders;
  close(): void;
}

export async function startCollector(): Promise<Collector> {
  const collector = { sent: [] as string[], metrics: [] as string[], headers: {} as IncomingHttpHeaders };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') collector.sent.push(text);
      if (request.url === '/v1/metrics') collector.metrics.push(text);
      collector.headers = request.headers;
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(collector, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}
