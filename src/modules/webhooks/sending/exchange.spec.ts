import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { Exchange, TookTooLong } from './exchange.js';

const servers: Server[] = [];
const agents: Agent[] = [];
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function post(origin: string, timeoutMs: number, options: Agent.Options = {}) {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, ...options });
  agents.push(agent);
  return Exchange.send(agent, { origin, path: '/', method: 'POST', body: '{}' }, timeoutMs);
}

describe('an exchange', () => {
  it('returns the status, the Retry-After and the beginning of the body', async () => {
    const url = await serverThat((_request, response) => response.writeHead(503, { 'retry-after': '7' }).end('busy'));
    expect(await post(url, 5000)).toEqual({ status: 503, start: Buffer.from('busy'), isLonger: false, retryAfter: '7' });
  });

  it('takes the final status, not one that announces it', async () => {
    const url = await serverThat((_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(204).end();
    });
    expect(await post(url, 5000)).toMatchObject({ status: 204 });
  });

  it('fails when no answer begins in time', async () => {
    const url = await serverThat(() => undefined);
    await expect(post(url, 50)).rejects.toBeInstanceOf(TookTooLong);
  });

  it('fails in time when the connection is never made, and sends nothing if it is made later', async () => {
    let received = 0;
    const url = await serverThat((_request, response) => {
      received += 1;
      response.end();
    });
    let connect = (): void => undefined;
    const { connect: socketTo } = await import('node:net');
    const connector: Agent.Options['connect'] = ({ port }, callback) => {
      connect = () => {
        const socket = socketTo(Number(port), '127.0.0.1', () => callback(null, socket));
      };
    };
    await expect(post(url, 50, { connect: connector })).rejects.toBeInstanceOf(TookTooLong);
    connect();
    expect(await post(url, 5000)).toMatchObject({ status: 200 });
    expect(received).toBe(1);
  });

  it('has the status of an answer that stops in the middle, or never ends', async () => {
    const broken = await serverThat((_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setImmediate(() => response.destroy());
    });
    expect(await post(broken, 5000)).toMatchObject({ status: 200, start: Buffer.from('half') });
    const endless = await serverThat((_request, response) => void response.writeHead(200).write('half'));
    expect(await post(endless, 1500)).toMatchObject({ status: 200, start: Buffer.from('half') });
  });

  it('reads 64 KiB of an answer, keeps its beginning, and closes the connection', async () => {
    let closed = Promise.resolve<unknown>(undefined);
    const url = await serverThat((request, response) => {
      closed = once(request.socket, 'close');
      const more = (): void => void (response.destroyed || (response.write('x'.repeat(16_384)), setImmediate(more)));
      more();
    });
    const answer = await post(url, 5000);
    expect(answer).toMatchObject({ status: 200, isLonger: true });
    expect(answer.start).toHaveLength(2048);
    await closed;
  });
});
