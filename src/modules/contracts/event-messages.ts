import { ENVIRONMENTS } from '../../kernel/context.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import { EVENT_DATA_MAX_BYTES } from '../../kernel/product.js';
import { type Schema, schemaNameOf } from './openapi-schemas.js';

export const WHEN_SENT = {
  emitted:
    'Verify the signature over the raw body before you parse it. The same event may be delivered more than once, with the same ' +
    '`webhook-id`.',
  planned: 'Reserved: it is not sent yet. Endpoints can subscribe to it already.',
  test: 'Sent without a signature, when an operator tests an endpoint.',
};

const SEVERAL_SIGNATURES = 'While a rotated secret is still valid, there are several signatures, separated by spaces.';
const KEY_ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const SIGNATURE = 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=';

type ObjectSchema = Schema & Required<Pick<Schema, 'properties' | 'required'>>;

const text = (description: string, example: string): Schema => ({ type: 'string', description, example });
const uuid = (description: string, example: string): Schema => ({ type: 'string', format: 'uuid', description, example });
const EVENT_ID = '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21';
const objectOf = (properties: Record<string, Schema>): ObjectSchema => ({ type: 'object', required: Object.keys(properties), properties });

export function headersOf({ kind, status }: EventDeclaration): ObjectSchema {
  const type: Schema = { type: 'string', const: kind, description: 'The kind of event.', example: kind };
  if (status === 'test') return objectOf({ 'X-Service-Event': type });
  const seconds = text('When this attempt was signed, in Unix seconds. Both timestamp headers have the same value.', '1772357400');
  const signature = text(
    `\`v1,\` and the base64 HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{raw body}\`. ` +
      `For an endpoint with \`ed25519\`: \`v1a,\` and the base64 Ed25519 signature of the same. ${SEVERAL_SIGNATURES}`,
    SIGNATURE,
  );
  const headers = objectOf({
    'webhook-id': { ...text('Id of the event: the same in every attempt.', EVENT_ID), format: 'uuid' },
    'webhook-timestamp': seconds,
    'webhook-signature': signature,
    'X-Service-Event': type,
    'X-Service-Timestamp': seconds,
    'X-Service-Signature': signature,
  });
  const keyId = text('Only with `ed25519`: the `kid` of the public key, or of both after a rotation, separated by a space.', KEY_ID);
  return { ...headers, properties: { ...headers.properties, 'X-Service-Key-Id': keyId } };
}

export function payloadOf({ kind, data, collection }: EventDeclaration): ObjectSchema {
  const properties: Record<string, Schema> = {
    id: uuid('Id of the event, the same as `webhook-id`.', EVENT_ID),
    type: { type: 'string', const: kind, description: 'The kind of event.', example: kind },
    timestamp: { type: 'string', format: 'date-time', description: 'When the event happened.', example: '2026-03-01T09:30:00.000Z' },
    apiVersion: { type: 'string', const: 'v1', description: 'The API version of the record in `data`.', example: 'v1' },
    environment: { type: 'string', enum: [...ENVIRONMENTS], description: 'The environment of the event.', example: 'test' },
    organizationId: uuid('The organization of the event.', '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20'),
    data: data
      ? { $ref: `#/components/schemas/${schemaNameOf(data)}`, description: 'What the event is about. A record is as the API returns it.' }
      : { type: 'object', description: 'Not defined yet, since the kind is only planned.', example: {} },
  };
  const isAlwaysSent = collection === undefined;
  if (!isAlwaysSent) properties.record = recordSchema(kind);
  if (kind.endsWith('.updated'))
    properties.changedFields = {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'The fields of `data` that have changed.',
      example: ['name'],
    };
  const schema = objectOf(properties);
  return { ...schema, required: schema.required.filter((name) => isAlwaysSent || !['data', 'record'].includes(name)) };
}

function recordSchema(kind: string): Schema {
  return {
    ...objectOf({
      id: { type: 'string', format: 'uuid', description: 'Its id.' },
      type: { type: 'string', const: kind.split('.')[0], description: 'Its type.' },
      path: { type: 'string', description: 'GET this path to read it.' },
    }),
    description: `Instead of \`data\` if that is larger than ${EVENT_DATA_MAX_BYTES / 1024} KiB: where the record is.`,
  };
}
