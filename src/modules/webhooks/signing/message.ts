import type { Environment } from '../../../kernel/context.js';
import { signatureOf, type SigningKey } from './webhook-secret.js';
import type { Outgoing } from '../sending/sender.js';

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

/** The body of an event: the same bytes in every delivery. */
export function bodyOf({ eventId: id, kind, occurredAt, environment, organizationId, data, changedFields }: EventMessage): string {
  const head = JSON.stringify({ id, type: kind, timestamp: occurredAt, apiVersion: 'v1', environment, organizationId }).slice(0, -1);
  const tail = changedFields ? `,"changedFields":${JSON.stringify(changedFields)}}` : '}';
  return `${head},"data":${data}${tail}`;
}

/** The headers of an event. Every attempt has the same `webhook-id`, and a signature with its own time. */
export function headersOf(
  { id, kind, body }: { readonly id: string; readonly kind: string; readonly body: string },
  keys: readonly SigningKey[],
  sentAt: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signature = signatureOf({ id, sentAt, body }, keys);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'X-Service-Event': kind,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': signature,
  };
}

/** The request for an event. */
export function messageOf(event: EventMessage, url: string, keys: readonly SigningKey[], sentAt: Date): Outgoing {
  const body = bodyOf(event);
  return {
    organizationId: event.organizationId,
    url,
    headers: headersOf({ id: event.eventId, kind: event.kind, body }, keys, sentAt),
    body,
  };
}
