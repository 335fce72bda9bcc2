import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { aKey } from '../../support/builders.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { expectProblem } from '../../support/problem.js';
import type { Received } from '../../support/receiver.js';
import { aProject, aWebhook, openHook, startDelivering, untilSettled, WEBHOOKS, type Delivery, type Hook } from '../../support/webhooks.js';

interface Details extends Delivery {
  readonly request: { readonly url: string; readonly headers: Record<string, string>; readonly body: string | null } | null;
  readonly response: { readonly body: string; readonly truncated: boolean } | null;
}

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });
});
afterAll(() => app.close());

const details = async (hook: Hook, { id }: { readonly id: string }): Promise<Details> => {
  const { status, text, body } = await hook.api.get(`${hook.path}/deliveries/${id}`);
  expect(status, text).toBe(200);
  return body as Details;
};

/** Delivers an event to a receiver that answers like this. Returns the attempt with its message. */
async function attempt(hook: Hook, answer: (received: Received, response: ServerResponse) => void): Promise<Details> {
  hook.receiver.answer = answer;
  await aProject(hook.api);
  const made = await eventually(async () => {
    const first = (await hook.log()).find(({ attempt }) => attempt === 1);
    expect(first?.status).not.toBe('pending');
    return first!;
  });
  return details(hook, made);
}

describe('a delivery', () => {
  it('shows what a failing receiver was sent, and what it answered', async () => {
    const hook = await openHook(app);
    const failed = await attempt(hook, (_received, response) => void response.writeHead(500).end('{"error":"no such ledger: ü"}'));
    const [received] = hook.receiver.received;
    expect(failed).toMatchObject({ status: 'failed', responseStatus: 500, errorCode: 'http_error' });
    expect(failed.response).toEqual({ body: '{"error":"no such ledger: ü"}', truncated: false });
    expect(failed.request!.url).toBe(hook.webhook.targetUrl);
    expect(failed.request!.body).toBe(received!.body);
    const { 'webhook-signature': signature, 'X-Service-Signature': same, ...headers } = failed.request!.headers;
    expect([signature, same]).toEqual(['(hidden)', '(hidden)']);
    for (const [name, value] of Object.entries(headers)) expect(received!.headers[name.toLowerCase()], name).toBe(value);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['content-type', 'user-agent', 'webhook-id', 'X-Service-Event']));
  });

  it('shows it for each attempt, also of successful ones, and the log stays lean', async () => {
    const hook = await openHook(app);
    const done = await attempt(hook, (_received, response) => void response.writeHead(200).end('thank you'));
    expect(done).toMatchObject({ status: 'delivered', response: { body: 'thank you', truncated: false } });
    const [listed] = await untilSettled(hook);
    const { request: _request, response: _response, ...record } = done;
    expect(listed).toEqual(record);
  });

  it('that is pending, or that reached nobody, has no message or no answer', async () => {
    const hook = await openHook(app);
    const failed = await attempt(hook, (_received, response) => void response.destroy());
    expect(failed).toMatchObject({ errorCode: 'connection_failed', request: { url: hook.webhook.targetUrl }, response: null });
    const [pending] = await hook.log('?status=pending');
    expect(await details(hook, pending!)).toMatchObject({ status: 'pending', request: null, response: null });
  });

  it('shows no body once its event is no longer kept', async () => {
    const hook = await openHook(app);
    const done = await attempt(hook, (_received, response) => void response.writeHead(200).end());
    await rowsOf(app.databaseUrl, 'DELETE FROM events WHERE id = $1', [done.eventId]);
    expect(await details(hook, done)).toMatchObject({ request: { url: hook.webhook.targetUrl, body: null }, response: { body: '' } });
  });

  it('is there for its endpoint and organization alone, and needs the scope of the log', async () => {
    const [hook, other] = [await openHook(app), await openHook(app)];
    const { id } = await attempt(hook, (_received, response) => void response.writeHead(200).end());
    const second = await aWebhook(hook.api);
    for (const path of [`${WEBHOOKS}/${second.id}/deliveries/${id}`, `${hook.path}/deliveries/${newId()}`])
      expectProblem(await hook.api.get(path), 'not_found');
    expectProblem(await other.api.get(`${hook.path}/deliveries/${id}`), 'not_found');
    expectProblem(await other.api.get(`${other.path}/deliveries/${id}`), 'not_found');
    const reader = new Client(app.url, (await aKey(app, hook.organizationId, { scopes: ['webhooks:read', 'claim_projects:read'] })).key);
    expectProblem(await reader.get(`${hook.path}/deliveries/${id}`), 'scope_missing');
  });
});

describe('the answer of a hostile receiver', () => {
  it('of 64 KiB of noise is kept as 1 KiB of valid text', async () => {
    const hook = await openHook(app);
    const noise = Buffer.concat([Buffer.from([0, 0xff, 0xc3, 0x28, 0x1b]), randomBytes(65_000)]);
    const { response } = await attempt(hook, (_received, answer) => void answer.writeHead(200).end(noise));
    expect(response!.truncated).toBe(true);
    expect(response!.body.isWellFormed()).toBe(true);
    expect(response!.body).not.toMatch(/[^\P{Cc}\t\r\n]/u);
    expect(response!.body.length).toBeLessThanOrEqual(1024);
  });

  it('does not get our signatures, secrets or keys into the log by repeating them', async () => {
    const hook = await openHook(app);
    const secrets = [hook.webhook.secret!, hook.key];
    const { response } = await attempt(hook, ({ headers }, answer) => {
      secrets.push(String(headers['webhook-signature']));
      answer.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ headers, secrets }));
    });
    expect(response!.body).toContain('"webhook-signature":"***');
    const stored = JSON.stringify(await rowsOf(app.databaseUrl, 'SELECT sent, answer FROM webhook_deliveries'));
    for (const secret of secrets) for (const text of [response!.body, stored]) expect(text).not.toContain(secret);
  });
});
