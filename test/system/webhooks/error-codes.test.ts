import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { SELF_SIGNED } from '../../support/self-signed.js';
import { aProject, openHook, startDelivering, type Delivery, type Hook } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s,1h', WEBHOOK_TIMEOUT_MS: '300' });
});
afterAll(() => app.close());

/** The first attempt, once it has failed. */
const firstAttempt = (hook: Hook): Promise<Delivery> =>
  eventually(async () => {
    const first = (await hook.log()).find(({ attempt }) => attempt === 1);
    expect(first?.status).toBe('failed');
    return first!;
  });

/** The URL of a server that answers every connection with these bytes. */
async function serverSaying(answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

describe('the error code names the cause:', () => {
  async function failureAt(targetUrl: string): Promise<Delivery> {
    const hook = await openHook(app);
    await hook.change({ targetUrl });
    await aProject(hook.api);
    return firstAttempt(hook);
  }

  /** A port of this machine that nothing listens on. */
  async function deadUrl(): Promise<string> {
    const receiver = await Receiver.start();
    const { url } = receiver;
    await receiver.close();
    return url;
  }

  it('a name that does not resolve', async () => {
    expect(await failureAt('https://no-such-name.invalid/')).toMatchObject({ errorCode: 'name_not_resolved', responseStatus: null });
  });

  it('connection refused', async () => {
    expect(await failureAt(await deadUrl())).toMatchObject({ errorCode: 'connection_failed', responseStatus: null });
  });

  it('an untrusted certificate', async () => {
    const receiver = await Receiver.start(SELF_SIGNED);
    expect(await failureAt(receiver.url)).toMatchObject({ errorCode: 'tls_failed', responseStatus: null });
    expect(receiver.received).toEqual([]);
  });

  it('TLS to a server that speaks plain HTTP', async () => {
    const receiver = await Receiver.start();
    expect(await failureAt(receiver.url.replace('http:', 'https:'))).toMatchObject({ errorCode: 'tls_failed' });
  });

  it.each([
    ['a greeting of SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a broken status line', 'HTTP/1.1 okay\r\n\r\n'],
    ['a header without an end', `HTTP/1.1 200 OK\r\nX-Filler: ${'x'.repeat(1024 * 1024)}`],
    ['two contradicting lengths', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n'],
  ])('something that is no HTTP: %s', async (_what, answer) => {
    expect(await failureAt(await serverSaying(answer))).toMatchObject({ errorCode: 'malformed_answer', responseStatus: null });
  });

  it('a forbidden address that was allowed when the endpoint was created', async () => {
    const hook = await openHook(app);
    await rowsOf(app.databaseUrl, `UPDATE webhook_endpoints SET target_url = 'http://10.0.0.1/' WHERE id = $1`, [hook.webhook.id]);
    await aProject(hook.api);
    expect(await firstAttempt(hook)).toMatchObject({ errorCode: 'target_not_allowed', responseStatus: null });
  });

  it('a receiver that never responds, or closes the connection', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = () => undefined;
    await aProject(hook.api);
    const first = await firstAttempt(hook);
    expect(first).toMatchObject({ errorCode: 'timeout', responseStatus: null });
    expect(first.durationMs).toBeGreaterThanOrEqual(290);
    expect(first.durationMs).toBeLessThan(3000);
    const other = await openHook(app);
    other.receiver.answer = (_received, response) => void response.destroy();
    await aProject(other.api);
    expect(await firstAttempt(other)).toMatchObject({ errorCode: 'connection_failed' });
  });
});
