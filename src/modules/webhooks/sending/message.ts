import type { Environment } from '../../../kernel/context.js';
import { signatureOf, type SigningKey } from '../endpoints/webhook-secret.js';
import type { Outgoing } from './sender.js';

/** The event of a delivery. */
export interface EventMessage {
  readonly eventId: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly environment: Environment;
  readonly organizationId: string;
  /** JSON, as it is stored. As objects it could take a hundred times the memory. */
  readonly data: string;
  readonly changedFields: string[] | null;
}

/** The columns of an event that its message is made from. */
export const MESSAGE_COLUMNS = `event.id AS "eventId", event.kind, event.occurred_at AS "occurredAt", event.environment,
    event.organization_id AS "organizationId", event.data::text AS data, event.changed_fields AS "changedFields"`;

/** The request for an event. Every attempt has the same body and `webhook-id`, and a signature with its own time. */
export function messageOf(
  { eventId: id, kind, occurredAt, environment, organizationId, data, changedFields }: EventMessage,
  url: string,
  keys: readonly SigningKey[],
  sentAt: Date,
): Outgoing {
  const head = JSON.stringify({ id, type: kind, timestamp: occurredAt, apiVersion: 'v1', environment, organizationId }).slice(0, -1);
  const tail = changedFields ? `,"changedFields":${JSON.stringify(changedFields)}}` : '}';
  const body = `${head},"data":${data}${tail}`;
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signature = signatureOf({ id, sentAt, body }, keys);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'X-Service-Event': kind,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': signature,
  };
  return { organizationId, url, headers, body };
}
