import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, it } from 'vitest';
import { webhook } from '../../client/src/frameworks/hono.js';
import { secretsFor } from '../../client/src/frameworks/receive.js';
import { aDelivery, describeReceiver, opened, SECRET, send, type RunningReceiver, type Wanted } from '../support/hook-receivers.js';

function start({ secrets, handle }: Wanted, before?: MiddlewareHandler): Promise<RunningReceiver> {
  const app = new Hono();
  app.onError((_error, c) => c.text('An error', 500));
  if (before) app.use(before);
  app.post(
    '/hooks/:tenant',
    webhook(
      (c) => secretsFor(secrets, c.req.param('tenant') ?? ''),
      async (event, c) => {
        const status = await handle(event);
        return status ? c.text('', status) : undefined;
      },
    ),
  );
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }: AddressInfo) =>
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => {
          (server as Server).closeAllConnections();
          return new Promise((closed) => server.close(closed));
        },
      }),
    );
  });
}

describeReceiver(start);

const nothing: Wanted = { secrets: SECRET, handle: () => undefined };
const reading =
  (read: (c: Parameters<MiddlewareHandler>[0]) => Promise<unknown>): MiddlewareHandler =>
  async (c, next) => {
    await read(c);
    await next();
  };

describe('with the body read before', () => {
  it.each<[string, MiddlewareHandler]>([
    ['c.req.json()', reading((c) => c.req.json())],
    ['c.req.text()', reading((c) => c.req.text())],
    ['c.req.arrayBuffer()', reading((c) => c.req.arrayBuffer())],
  ])('by %s, verifies', async (_what, before) => {
    expect(await send(await opened(start(nothing, before)), await aDelivery())).toEqual([204, '']);
  });

  it('by c.req.raw.json(), is refused with 401 and says what to change', async () => {
    const [status, text] = await send(
      await opened(
        start(
          nothing,
          reading((c) => c.req.raw.json()),
        ),
      ),
      await aDelivery(),
    );
    expect([status, text]).toEqual([401, expect.stringMatching(/^parsed_body: .*c\.req/)]);
  });
});
