import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callInProcess, inProcessCallOf, type InProcessCall } from './in-process.js';

const CALL: InProcessCall = {
  method: 'POST',
  url: '/things?page=2',
  headers: { host: 'api.example.com', 'content-type': 'application/json' },
  remoteAddress: '192.0.2.7',
  body: '{"name":"x"}',
  channel: 'mcp',
  isDryRun: true,
};

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  app.post('/things', (request, reply) =>
    reply
      .header('Retry-After', 3)
      .status(201)
      .send({
        query: request.query,
        ip: request.ip,
        body: request.body,
        call: inProcessCallOf(request) ?? null,
      }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

it('calls a route like a request from the network, and the route can tell', async () => {
  const { status, body, headers } = await callInProcess(app, CALL);
  expect([status, headers['retry-after']]).toEqual([201, '3']);
  expect(JSON.parse(body)).toEqual({ query: { page: '2' }, ip: '192.0.2.7', body: { name: 'x' }, call: CALL });
});

it('does not take a request from the network for an in-process call', async () => {
  const { port } = app.server.address() as AddressInfo;
  const headers = { ...CALL.headers, channel: 'mcp', 'user-agent': 'lightMyRequest' };
  const answer = await fetch(`http://127.0.0.1:${port}${CALL.url}`, { method: 'POST', headers, body: CALL.body! });
  expect(await answer.json()).toMatchObject({ ip: '127.0.0.1', call: null });
});
