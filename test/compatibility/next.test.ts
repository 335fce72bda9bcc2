import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhook } from '../../client/src/frameworks/next.js';
import { secretsFor } from '../../client/src/frameworks/receive.js';
import type { ClaimsEvent } from '../../client/src/index.js';
import { aDelivery, describeReceiver, SECRET, type Wanted } from '../support/hook-receivers.js';
import { startNext, type NextApp } from './support/next-app.js';

const PATIENCE_MS = 240_000;

let wanted: Wanted;
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const tenant = /^\/secrets\/(\w+)$/.exec(request.url!)?.[1];
  if (tenant) return void response.end(JSON.stringify((await secretsFor(wanted.secrets, tenant)) ?? []));
  const event = JSON.parse(await text(request)) as ClaimsEvent;
  response.writeHead((await wanted.handle(event)) ?? 204).end();
}

/** The route of the application asks this server what to do. */
const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(500).end());
});
let app: NextApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const TEST_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await startNext(fileURLToPath(new URL('next-app', import.meta.url)), { TEST_URL });
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

describeReceiver((next) => {
  wanted = next;
  return Promise.resolve({ url: app.url, close: () => Promise.resolve() });
});

it('a request that was read before is refused with 401 and says what to change', async () => {
  const request = new Request('http://127.0.0.1/hooks', { method: 'POST', ...(await aDelivery()) });
  await request.json();
  const refused = await webhook(SECRET, () => undefined)(request, {});
  expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('parsed_body: ')]);
});
