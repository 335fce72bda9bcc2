import type { INestApplication } from '@nestjs/common';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { ENVIRONMENTS } from '../../kernel/context.js';
import { declaredEvents, type EventDeclaration } from '../../kernel/declare-event.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { Settings } from '../../kernel/settings/settings.js';
import { exampleOf, type Schema } from './openapi-examples.js';
import { openApiDocument, schemaNameOf, statingSettings } from './openapi.js';

const DESCRIPTION = [
  `The events of ${API_NAME}, sent to webhook endpoints as signed POST requests.\n`,
  '- **Verify** the signature over the raw body first. Any Standard Webhooks library does it.',
  '- **At least once.** The same event may be delivered more than once, with the same `webhook-id`. Events may arrive in another ' +
    'order than they happened.',
  `- **Answer** with 2xx at once. Any other answer is a failure, and the delivery is retried for about ${setting('webhookRetrySchedule')}.`,
  '- `x-status`: `emitted`; `planned`: reserved, not sent yet; `test`: sent without a signature, only to test an endpoint.',
].join('\n');

const SEVERAL_SIGNATURES = 'While a rotated secret is still valid, there are several signatures, separated by spaces.';
const SIGNATURE = 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=';

type Document = Record<string, unknown>;

/** The AsyncAPI 3 document, made from the declared events and the schemas of the OpenAPI document. */
export function asyncApiDocument(app: INestApplication): Document {
  const events = declaredEvents();
  const models = events.flatMap(({ data }) => data ?? []);
  const all = openApiDocument(app, '', models).components!.schemas as Record<string, Schema>;
  const byKind = (make: (event: EventDeclaration) => Document): Document =>
    Object.fromEntries(events.map((event) => [event.kind, make(event)]));
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: `${API_NAME}: events`,
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    channels: byKind(({ kind, summary }) => ({
      address: null,
      title: kind,
      summary,
      messages: { [kind]: { $ref: `#/components/messages/${kind}` } },
    })),
    operations: byKind(({ kind, summary, status }) => ({
      action: 'send',
      title: kind,
      summary,
      channel: { $ref: `#/channels/${kind}` },
      messages: [{ $ref: `#/channels/${kind}/messages/${kind}` }],
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      'x-status': status,
    })),
    components: { messages: byKind((event) => messageOf(event, all)), schemas: asJsonSchemas(all, models.map(schemaNameOf)) },
  };
  return statingSettings(document, app.get(Settings));
}

function messageOf(event: EventDeclaration, schemas: Record<string, Schema>): Document {
  const { kind, summary, status } = event;
  const [headers, payload] = [headersOf(event), payloadOf(event)];
  const example = { name: kind, headers: exampleOf(headers, schemas), payload: exampleOf(payload, schemas) };
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

const text = (description: string, example: string): Schema => ({ type: 'string', description, example });

function headersOf({ kind, status }: EventDeclaration): Schema {
  const type: Schema = { type: 'string', const: kind, description: 'The kind of event.', example: kind };
  if (status === 'test') return { type: 'object', required: ['X-Service-Event'], properties: { 'X-Service-Event': type } };
  const seconds = text('When this attempt was signed, in Unix seconds. Both timestamp headers have the same value.', '1772357400');
  const signature = text(
    `\`v1,\` and the base64 HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{raw body}\`. ${SEVERAL_SIGNATURES}`,
    SIGNATURE,
  );
  const properties = {
    'webhook-id': { ...text('Id of the event: the same in every attempt.', '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21'), format: 'uuid' },
    'webhook-timestamp': seconds,
    'webhook-signature': signature,
    'X-Service-Event': type,
    'X-Service-Timestamp': seconds,
    'X-Service-Signature': signature,
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The body: an envelope with the record, as the API returns it. */
function payloadOf({ kind, data }: EventDeclaration): Schema {
  const properties: Record<string, Schema> = {
    id: {
      type: 'string',
      format: 'uuid',
      description: 'Id of the event, the same as `webhook-id`.',
      example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21',
    },
    type: { type: 'string', const: kind, description: 'The kind of event.', example: kind },
    timestamp: { type: 'string', format: 'date-time', description: 'When the event happened.', example: '2026-03-01T09:30:00.000Z' },
    apiVersion: { type: 'string', const: 'v1', description: 'The API version of the record in `data`.', example: 'v1' },
    environment: { type: 'string', enum: [...ENVIRONMENTS], description: 'The environment of the event.', example: 'test' },
    organizationId: {
      type: 'string',
      format: 'uuid',
      description: 'The organization of the event.',
      example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20',
    },
    data: data
      ? { $ref: `#/components/schemas/${schemaNameOf(data)}` }
      : { type: 'object', description: 'Not defined yet, since the kind is only planned.', example: {} },
  };
  if (kind.endsWith('.updated'))
    properties.changedFields = {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'The fields of `data` that have changed.',
      example: ['name'],
    };
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The schemas with these names, and those that they refer to. */
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
