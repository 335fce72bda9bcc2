import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { webhook } from '../../client/src/frameworks/express.js';
import { secretsFor } from '../../client/src/frameworks/receive.js';
import { aDelivery, describeReceiver, opened, SECRET, send, type RunningReceiver, type Wanted } from '../support/hook-receivers.js';

async function listening(listener: RequestListener): Promise<RunningReceiver> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `before`: middleware of the whole application. */
function start({ secrets, handle }: Wanted, ...before: RequestHandler[]): Promise<RunningReceiver> {
  const app = express();
  // Without it, Express prints the errors of handlers.
  app.set('env', 'test');
  if (before.length > 0) app.use(...before);
  app.post(
    '/hooks/:tenant',
    webhook(
      (request) => secretsFor(secrets, String(request.params.tenant)),
      async (event, _request, response) => {
        const status = await handle(event);
        if (status) response.status(status).send('');
      },
    ),
  );
  return listening(app);
}

describeReceiver(start);

const nothing: Wanted = { secrets: SECRET, handle: () => undefined };

describe('with the body read before', () => {
  it('by express.json(), is refused with 401 and says what to change', async () => {
    const [status, text] = await send(await opened(start(nothing, express.json())), await aDelivery());
    expect(status).toBe(401);
    expect(text).toMatch(/^parsed_body: .*express\.json\(\{ verify:/);
  });

  it.each<[string, RequestHandler]>([
    [
      'express.json that keeps the raw body',
      express.json({ verify: (request, _response, rawBody) => void Object.assign(request, { rawBody }) }),
    ],
    ['express.raw', express.raw({ type: '*/*' })],
    ['express.text', express.text({ type: '*/*' })],
  ])('by %s, verifies', async (_what, before) => {
    expect(await send(await opened(start(nothing, before)), await aDelivery())).toEqual([204, '']);
  });
});

it('is a listener of plain Node, too', async () => {
  const receive = webhook<IncomingMessage, ServerResponse>(SECRET, () => undefined);
  const receiver = await opened(listening((request, response) => void receive(request, response, () => response.writeHead(500).end())));
  expect(await send(receiver, await aDelivery())).toEqual([204, '']);
});
