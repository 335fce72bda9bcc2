import { Parser } from '@asyncapi/parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { EndpointOperations } from '../../src/modules/webhooks/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { changesOfEveryKind, kindsWritten } from '../support/every-event.js';
import { expectValid } from '../support/law-answers.js';
import type { OpenApi } from '../support/law-document.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { Receiver, type Received } from '../support/receiver.js';

interface Message {
  readonly 'x-status': string;
  readonly headers: { readonly properties: Record<string, unknown> };
  readonly examples: { readonly headers: object; readonly payload: object }[];
}
interface AsyncApi {
  readonly asyncapi: string;
  readonly channels: Record<string, unknown>;
  readonly operations: Record<string, { readonly action: string; readonly 'x-status': string }>;
  readonly components: { readonly messages: Record<string, Message>; readonly schemas: Record<string, unknown> };
}

let database: Awaited<ReturnType<typeof createDatabase>>;
let world: DocumentedApp;
let text: string;
let document: AsyncApi;
beforeAll(async () => {
  database = await createDatabase();
  world = await startDocumentedApp({ DATABASE_URL: database.url, ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  text = (await new Client(world.url).get('/asyncapi.json')).text;
  document = JSON.parse(text) as AsyncApi;
});
afterAll(async () => {
  await world.close();
  await database.drop();
});

/** The request matches the document: its headers and payload are valid, and it has no undocumented headers. */
function expectAsDocumented({ headers, body }: Received): void {
  const payload = JSON.parse(body) as { type: string };
  const message = document.components.messages[payload.type]!;
  expect(message, payload.type).toBeDefined();
  const sent = Object.keys(message.headers.properties).map((name) => [name, headers[name.toLowerCase()]] as const);
  // Which of them are required is said by the document.
  const named = Object.fromEntries(sent.filter(([, value]) => value !== undefined));
  const valid = (part: string, value: unknown) =>
    expectValid(document as unknown as OpenApi, ['components', 'messages', payload.type, part], value);
  valid('headers', named);
  valid('payload', payload);
  const ours = Object.keys(headers).filter((name) => /^(webhook-|x-service-)/.test(name));
  expect(ours.sort()).toEqual(
    Object.keys(named)
      .map((name) => name.toLowerCase())
      .sort(),
  );
}

/** An organization with a test endpoint that subscribes to every kind. */
async function aListener() {
  const { organization, key } = await aTenant(world);
  const receiver = await Receiver.start();
  const subscribedEvents = world.registry.events.filter(({ status }) => status !== 'test').map(({ kind }) => kind);
  const webhook = await new Client(world.url, key).post('/v1/webhooks', { name: 'All', targetUrl: receiver.url, subscribedEvents });
  expect(webhook.status, webhook.text).toBe(201);
  const bodies = () =>
    receiver.received.map(
      ({ body }) => JSON.parse(body) as { id: string; type: string; environment: string; data: object; changedFields?: string[] },
    );
  return { organizationId: organization.id, key, receiver, bodies, webhookId: webhook.body.id as string };
}

describe('the AsyncAPI document', () => {
  it('is served without a credential, can be cached, and is linked from GET /v1', async () => {
    const { headers } = await new Client(world.url).get('/asyncapi.json');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=300');
    const { key } = await aTenant(world);
    const { documentation } = (await new Client(world.url, key).get('/v1')).body as { documentation: object };
    expect(documentation).toMatchObject({ asyncapi: `${world.url}/asyncapi.json` });
  });

  it('is valid AsyncAPI 3, including its examples', async () => {
    const { document: parsed, diagnostics } = await new Parser().parse(text);
    expect(parsed).toBeDefined();
    // 0 is an error and 1 a warning; the rest is about newer editions of AsyncAPI.
    expect(diagnostics.filter(({ severity }) => Number(severity) <= 1)).toEqual([]);
    expect(document.asyncapi).toMatch(/^3\./);
    for (const [kind, { examples }] of Object.entries(document.components.messages)) {
      expect(examples, kind).toHaveLength(1);
      expectValid(document as unknown as OpenApi, ['components', 'messages', kind, 'headers'], examples[0]!.headers);
      expectValid(document as unknown as OpenApi, ['components', 'messages', kind, 'payload'], examples[0]!.payload);
    }
  });

  it('has a channel, an operation and a message for each kind of event, with its status', () => {
    const kinds = world.registry.events.map(({ kind }) => kind);
    for (const part of [document.channels, document.operations, document.components.messages]) expect(Object.keys(part)).toEqual(kinds);
    for (const { kind, status } of world.registry.events) {
      expect(document.operations[kind]).toMatchObject({ action: 'send', 'x-status': status });
      expect(document.components.messages[kind]).toMatchObject({ 'x-status': status });
    }
  });

  it('has every schema it refers to, and no others', () => {
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas));
  });

  it('uses the schema names of the OpenAPI document', () => {
    const { WebhookTest: _only, User: _settings, ...shared } = document.components.schemas;
    expect(Object.keys(world.document.components.schemas)).toEqual(expect.arrayContaining(Object.keys(shared)));
  });
});

describe('deliveries', () => {
  it('of every emitted kind match the document', async () => {
    const kinds = new Set<string>();
    for (const change of changesOfEveryKind(world)) {
      const { organizationId, key, receiver, bodies } = await aListener();
      await change(key, organizationId);
      // Workers may emit further events.
      await eventually(async () =>
        expect(
          bodies()
            .map(({ type }) => type)
            .sort(),
        ).toEqual(await kindsWritten(world, organizationId)),
      );
      receiver.received.forEach(expectAsDocumented);
      bodies().forEach(({ type }) => kinds.add(type));
      await receiver.close();
    }
    expect([...kinds].sort()).toEqual(world.registry.events.filter(({ status }) => status === 'emitted').map(({ kind }) => kind));
  });

  it('of a ping match the document too, and are unsigned', async () => {
    const { receiver, webhookId } = await aListener();
    expect(await world.app.get(EndpointOperations).ping(OPERATOR, webhookId)).toMatchObject({ responseStatus: 200, errorCode: null });
    expect(receiver.received).toHaveLength(1);
    expectAsDocumented(receiver.received[0]!);
    await receiver.close();
  });
});

describe('organization.updated', () => {
  it('is delivered in both environments with the organization as REST returns it, and writes one audit entry', async () => {
    const { organizationId, key, receiver, bodies } = await aListener();
    const live = new Client(world.url, (await aKey(world, organizationId, { environment: 'live' })).key);
    // There is no HTTPS receiver here; a logged attempt is enough.
    const webhook = await live.post('/v1/webhooks', {
      name: 'Live',
      targetUrl: 'https://127.0.0.1:1',
      subscribedEvents: ['organization.updated'],
    });
    await world.app.get(OrganizationService).change(OPERATOR, organizationId, { name: 'Renamed', plan: 'enterprise' });
    await eventually(() => expect(bodies()).toHaveLength(1));
    const changed = { kind: 'organization.updated', resource_id: organizationId, changed_fields: ['name'], data: bodies()[0]!.data };
    expect(changed.data).toEqual((await new Client(world.url, key).get('/v1/organization')).body);
    const events = await rowsOf<{ environment: string }>(
      database.url,
      'SELECT environment, kind, resource_id, changed_fields, data FROM events WHERE organization_id = $1 ORDER BY environment',
      [organizationId],
    );
    expect(events).toEqual([
      { environment: 'live', ...changed },
      { environment: 'test', ...changed },
    ]);
    const log = (await live.get(`/v1/webhooks/${webhook.body.id}/deliveries`)).body.data as object[];
    expect(log.at(-1)).toMatchObject({ eventKind: 'organization.updated', environment: 'live', attempt: 1 });
    const audit = (await live.get('/v1/audit/events?action_prefix=organization.updated')).body.data as object[];
    expect(audit).toEqual([
      expect.objectContaining({
        environment: null,
        resource: { type: 'organization', id: organizationId },
        changes: { name: { from: 'Example Accountants', to: 'Renamed' } },
      }),
    ]);
    await receiver.close();
  });

  it('is not emitted for an update that changes nothing', async () => {
    const { organization } = await aTenant(world);
    await world.app.get(OrganizationService).change(OPERATOR, organization.id, { name: organization.name });
    expect(await rowsOf(database.url, 'SELECT 1 FROM events WHERE organization_id = $1', [organization.id])).toEqual([]);
  });
});
