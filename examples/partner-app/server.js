// @ts-check
// A product whose customers connect their organization, and then see its claim projects.
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { Claims } from '@claims-api/client';
import {
  CallbackError,
  ConnectionRevokedError,
  MemoryTokenStore,
  NotConnectedError,
  OAuthApplication,
  OAuthError,
} from '@claims-api/client/oauth';

const { CLAIMS_BASE_URL, CLIENT_ID = '', CLIENT_SECRET, PORT = '4000' } = process.env;
const { PUBLIC_URL = `http://127.0.0.1:${PORT}` } = process.env;

const application = new OAuthApplication({
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  redirectUri: `${PUBLIC_URL}/callback`,
  baseUrl: CLAIMS_BASE_URL,
  // Forgets all connections when the process ends: use a table of your database.
  store: new MemoryTokenStore(),
});

/**
 * The authorizations that have begun, by customer. Use your session.
 * @type {Map<string, import('@claims-api/client/oauth').PendingAuthorization>}
 */
const begun = new Map();

const server = fastify();
// The form has no fields.
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null));

server.get('/', async (request, reply) => {
  const customer = customerOf(request, reply);
  const claims = new Claims({ accessToken: application.accessToken(customer), baseUrl: CLAIMS_BASE_URL });
  const names = [];
  for await (const { name } of claims.projects.list()) names.push(name);
  const rows = names.map((name) => `<li>${escaped(name)}</li>`).join('');
  return page(reply, `<ul>${rows}</ul><form method="post" action="/disconnect"><button>Disconnect</button></form>`);
});

server.get('/connect', async (request, reply) => {
  const customer = customerOf(request, reply);
  const { url, pending } = await application.begin({ scope: 'claim_projects:read' });
  begun.set(customer, pending);
  return reply.redirect(url);
});

server.get('/callback', async (request, reply) => {
  const customer = customerOf(request, reply);
  const pending = begun.get(customer);
  begun.delete(customer);
  await application.finish(customer, request.url, pending);
  // Away from the address that has the code in it.
  return reply.redirect('/');
});

server.post('/disconnect', async (request, reply) => {
  await application.disconnect(customerOf(request, reply));
  return reply.redirect('/');
});

server.setErrorHandler((error, _request, reply) => {
  const connect = '<p><a href="/connect">Connect</a></p>';
  if (error instanceof NotConnectedError) return page(reply, connect);
  if (error instanceof ConnectionRevokedError) return page(reply, `<p>The connection has ended.</p>${connect}`);
  if (error instanceof CallbackError) return page(reply.code(400), `<p>Please begin again.</p>${connect}`);
  if (error instanceof OAuthError && error.code === 'access_denied') return page(reply, `<p>You did not allow it.</p>${connect}`);
  console.error(error);
  return page(reply.code(500), '<p>It did not work. Please try again later.</p>');
});

/**
 * A cookie says who comes. Your product knows its customers already.
 * @param {import('fastify').FastifyRequest} request
 * @param {import('fastify').FastifyReply} reply
 */
function customerOf(request, reply) {
  const known = /(?:^|; )customer=([\w-]{36})/.exec(request.headers.cookie ?? '')?.[1];
  if (known) return known;
  const customer = randomUUID();
  const secure = PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
  reply.header('set-cookie', `customer=${customer}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  return customer;
}

/**
 * @param {import('fastify').FastifyReply} reply
 * @param {string} content
 */
function page(reply, content) {
  return reply
    .type('text/html')
    .send(`<!doctype html><html lang="en"><title>Claim projects</title><h1>Claim projects</h1>${content}</html>`);
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

await server.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log(PUBLIC_URL);
