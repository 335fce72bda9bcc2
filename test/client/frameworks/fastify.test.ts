import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { webhook } from '../../../client/src/frameworks/fastify.js';
import { secretsFor } from '../../../client/src/frameworks/receive.js';
import { aDelivery, describeReceiver, opened, SECRET, send, type RunningReceiver, type Wanted } from '../../support/hook-receivers.js';

async function listening(app: FastifyInstance): Promise<RunningReceiver> {
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
}

const tenantOf = ({ params }: { params: unknown }): string => (params as { tenant: string }).tenant;

describeReceiver(async ({ secrets, handle }: Wanted) => {
  // The limit is that of the route.
  const app = fastify({ forceCloseConnections: true, bodyLimit: 10 });
  await app.register(
    webhook(
      '/hooks/:tenant',
      (request) => secretsFor(secrets, tenantOf(request)),
      async (event, _request, reply) => {
        const status = await handle(event);
        if (status) return reply.code(status).send('');
      },
    ),
  );
  return listening(app);
});

it('leaves the other routes as they are, and takes a prefix, the types of Fastify and what the handler returns', async () => {
  const app = fastify({ forceCloseConnections: true });
  app.post('/echo', (request) => request.body);
  await app.register(
    webhook('/claims', SECRET, (event, request: FastifyRequest, _reply: FastifyReply) => ({ type: event.type, url: request.url })),
    { prefix: '/hooks' },
  );
  const receiver = await opened(listening(app));
  const delivery = await aDelivery();
  const expected = JSON.stringify({ type: 'claim_project.created', url: '/hooks/claims' });
  expect(await send(receiver, delivery, '/hooks/claims')).toEqual([200, expected]);
  expect(await send(receiver, { body: '{ "a": 1 }', headers: { 'content-type': 'application/json' } }, '/echo')).toEqual([200, '{"a":1}']);
});
