import type { INestApplication } from '@nestjs/common';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { ENVIRONMENTS } from '../../kernel/context.js';
import { declaredEvents, type EventDeclaration } from '../../kernel/declare-event.js';
import { exampleOf, type Schema } from './openapi-examples.js';
import { openApiDocument, schemaNameOf } from './openapi.js';

const DESCRIPTION = `What happens in ${API_NAME}, told to webhook endpoints by signed POST requests.

- **Verify** the signature over the raw body before anything else: any Standard Webhooks library does.
- **At least once.** The same event may come twice, with the same \`webhook-id\`; and events may come in another order than they happened.
- **Answer** with 2xx at once. Anything else is a failure, and is tried again for about 28 hours.
- \`x-status\`: \`emitted\`; \`planned\`, reserved and never sent; \`test\`, sent unsigned when somebody tries an endpoint.`;

const SECRET_NOTE = 'Several, separated by spaces, while a rotated secret is still good.';
const SIGNATURE = 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=';

type Document = Record<string, unknown>;

/** The AsyncAPI 3 document, made from the catalogue of events and the schemas of the OpenAPI document. */
export function asyncApiDocument(app: INestApplication): Document {
  const events = declaredEvents();
  const models = events.flatMap(({ data }) => data ?? []);
  const all = openApiDocument(app, '', models).components!.schemas as Record<string, Schema>;
  const byKind = (make: (event: EventDeclaration) => Document): Document =>
    Object.fromEntries(events.map((event) => [event.kind, make(event)]));
  return {
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
  const seconds = text('When this attempt was signed, in Unix seconds. The same as in the other header.', '1772357400');
  const signature = text(
    `\`v1,\` and the base64 HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{raw body}\`. ${SECRET_NOTE}`,
    SIGNATURE,
  );
  const properties = {
    'webhook-id': { ...text('The id of the event: the same with every attempt.', '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21'), format: 'uuid' },
    'webhook-timestamp': seconds,
    'webhook-signature': signature,
    'X-Service-Event': type,
    'X-Service-Timestamp': seconds,
    'X-Service-Signature': signature,
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The body: the envelope, and in it the record as REST returns it. */
function payloadOf({ kind, data }: EventDeclaration): Schema {
  const properties: Record<string, Schema> = {
    id: {
      type: 'string',
      format: 'uuid',
      description: 'Id of the event: that of `webhook-id`.',
      example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21',
    },
    type: { type: 'string', const: kind, description: 'The kind of event.', example: kind },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.', example: '2026-03-01T09:30:00.000Z' },
    apiVersion: { type: 'string', const: 'v1', description: 'The version whose records these are.', example: 'v1' },
    environment: { type: 'string', enum: [...ENVIRONMENTS], description: 'Where it happened.', example: 'test' },
    organizationId: { type: 'string', format: 'uuid', description: 'Whose it is.', example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20' },
    data: data
      ? { $ref: `#/components/schemas/${schemaNameOf(data)}` }
      : { type: 'object', description: 'Not settled while the kind is only planned.', example: {} },
  };
  if (kind.endsWith('.updated'))
    properties.changedFields = {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'The fields of `data` that are not as they were.',
      example: ['name'],
    };
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The schemas of these names, and those that they refer to. */
function asJsonSchemas(all: Record<string, Schema>, names: readonly string[]): Record<string, unknown> {
  const needed = new Set(names);
  for (const name of needed) {
    for (const [, other] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) needed.add(other!);
  }
  return Object.fromEntries([...needed].sort().map((name) => [name, asJsonSchema(all[name])]));
}

/** OpenAPI's `example` is JSON Schema's `examples`. An example's own members, and a property of the name, are left as they are. */
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
