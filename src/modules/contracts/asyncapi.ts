import type { INestApplication } from '@nestjs/common';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { declaredEvents, type EventDeclaration } from '../../kernel/declare-event.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { Settings } from '../../kernel/settings/settings.js';
import { headersOf, payloadOf, WHEN_SENT } from './event-messages.js';
import { exampleOf, exampleOfEvent, type Schema, schemaNameOf } from './openapi-schemas.js';
import { infoOf, openApiDocument, statingSettings } from './openapi.js';

/** Each endpoint is a server: that of the integrator. */
const ENDPOINT = {
  host: '{host}',
  pathname: '/{path}',
  protocol: 'https',
  description: 'Your webhook endpoint: its `targetUrl`. Endpoints of the test environment may use http.',
  variables: {
    host: { description: 'The host of `targetUrl`.', examples: ['hooks.example.com'] },
    path: { description: 'The path of `targetUrl`.', examples: ['claims'] },
  },
};

const DESCRIPTION = [
  `The events of ${API_NAME}, sent to webhook endpoints as signed POST requests.\n`,
  '- **Verify** the signature over the raw body first. Any Standard Webhooks library does it.',
  '- **At least once.** The same event may be delivered more than once, with the same `webhook-id`. Events may arrive in another ' +
    'order than they happened.',
  `- **Answer** with 2xx at once. Any other answer is a failure, and the delivery is retried for about ${setting('webhookRetrySchedule')}.`,
  '- `x-status`: `emitted`; `planned`: reserved, not sent yet; `test`: sent without a signature, only to test an endpoint.',
].join('\n');

type Document = Record<string, unknown>;

export function asyncApiDocument(app: INestApplication, baseUrl: string): Document {
  const events = declaredEvents();
  const models = events.flatMap(({ data }) => data ?? []);
  const all = openApiDocument(app, baseUrl).components!.schemas as Record<string, Schema>;
  const byKind = (make: (event: EventDeclaration) => Document): Document =>
    Object.fromEntries(events.map((event) => [event.kind, make(event)]));
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: `${API_NAME}: events`,
      version: API_VERSION,
      description: DESCRIPTION,
      ...infoOf(baseUrl),
      tags: [...new Set(events.map(recordOf))].map((name) => ({ name })),
    },
    servers: { endpoint: ENDPOINT },
    defaultContentType: 'application/json',
    channels: byKind(({ kind, summary }) => ({
      address: null,
      title: kind,
      summary,
      messages: { [kind]: { $ref: `#/components/messages/${kind}` } },
    })),
    operations: byKind(operationFor),
    components: { messages: byKind((event) => messageOf(event, all)), schemas: asJsonSchemas(all, models.map(schemaNameOf)) },
  };
  return statingSettings(document, app.get(Settings), baseUrl);
}

const recordOf = ({ kind }: EventDeclaration): string => kind.split('.')[0]!;

function operationFor(event: EventDeclaration): Document {
  const { kind, summary, status } = event;
  return {
    action: 'send',
    title: kind,
    summary,
    description: WHEN_SENT[status],
    tags: [{ name: recordOf(event) }],
    channel: { $ref: `#/channels/${kind}` },
    messages: [{ $ref: `#/channels/${kind}/messages/${kind}` }],
    bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    'x-status': status,
  };
}

function messageOf(event: EventDeclaration, schemas: Record<string, Schema>): Document {
  const { kind, summary, status } = event;
  const [headers, payload] = [headersOf(event), payloadOf(event)];
  const example = { name: kind, headers: exampleOf(headers, schemas), payload: exampleOfEvent(payload, event, schemas) };
  return {
    name: kind,
    title: kind,
    summary,
    contentType: 'application/json',
    'x-status': status,
    headers: asJsonSchema(headers),
    payload: asJsonSchema(payload),
    examples: [example],
  };
}

function asJsonSchemas(all: Record<string, Schema>, names: readonly string[]): Record<string, unknown> {
  const needed = new Set(names);
  for (const name of needed) {
    for (const [, other] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) needed.add(other!);
  }
  return Object.fromEntries([...needed].sort().map((name) => [name, asJsonSchema(all[name])]));
}

/** Turns OpenAPI's `example` into JSON Schema's `examples`; but not a property that is called `example`, nor members of examples. */
function asJsonSchema(schema: Schema | undefined): unknown {
  if (schema === undefined) return undefined;
  const { example, properties, items, ...rest } = schema;
  return {
    ...rest,
    ...(items && { items: asJsonSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, asJsonSchema(property)])),
    }),
    ...(example !== undefined && { examples: [example] }),
  };
}
