import { eventOf } from '../../../kernel/declare-event.js';
import { EVENT_DATA_MAX_BYTES } from '../../../kernel/product.js';
import type { DomainEvent } from '../../../store/events/events.js';
import { keysAt, signatureOf, type SigningKey } from './webhook-secret.js';
import type { Outgoing } from '../sending/sender.js';

type OfEvent = 'kind' | 'occurredAt' | 'environment' | 'organizationId' | 'resourceId' | 'changedFields';

export interface EventMessage extends Readonly<Pick<DomainEvent, OfEvent>> {
  readonly eventId: string;
  /** JSON, as it is stored. As objects it could take a hundred times the memory. null if it is too large to be sent. */
  readonly data: string | null;
  /** Of the request that caused the event, if that was traced. */
  readonly traceparent?: string | null;
}

const BYTES = 'octet_length(event.data::text)';
export const DATA_BYTES = `CASE WHEN ${BYTES} <= ${EVENT_DATA_MAX_BYTES} THEN ${BYTES} ELSE 0 END`;

/** The columns of an event that its message is made from, without the data if it is larger. */
export const messageColumns = (maxBytes: number): string => `
    event.id AS "eventId", event.kind, event.occurred_at AS "occurredAt", event.environment,
    event.organization_id AS "organizationId", event.resource_id AS "resourceId", event.changed_fields AS "changedFields",
    event.traceparent,
    CASE WHEN ${BYTES} <= ${maxBytes} THEN event.data::text END AS data`;
export const MESSAGE_COLUMNS = messageColumns(EVENT_DATA_MAX_BYTES);
/** `thin`: the message says where the record is, whatever its size. */
export const PAYLOADS = ['full', 'thin'] as const;
export type Payload = (typeof PAYLOADS)[number];

/** The same bytes in every delivery with the same payload. Instead of a record that is too large it says where the record is. */
export function bodyOf(event: EventMessage, payload: Payload = 'full'): string {
  const { eventId: id, kind, occurredAt, environment, organizationId, changedFields } = event;
  const data = payload === 'full' ? event.data : null;
  const head = JSON.stringify({ id, type: kind, timestamp: occurredAt, apiVersion: 'v1', environment, organizationId }).slice(0, -1);
  const tail = changedFields ? `,"changedFields":${JSON.stringify(changedFields)}}` : '}';
  return data === null ? `${head},"record":${JSON.stringify(recordOf(event))}${tail}` : `${head},"data":${data}${tail}`;
}

function recordOf({ kind, resourceId: id }: EventMessage) {
  const collection = eventOf(kind)?.collection;
  return { id, type: kind.split('.')[0], ...(collection !== undefined && { path: `${collection}/${id}` }) };
}

/** The headers of an event. Every attempt has the same `webhook-id`, and a signature with its own time. */
export function headersOf(
  { id, kind, body }: { readonly id: string; readonly kind: string; readonly body: string },
  keys: readonly SigningKey[],
  sentAt: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signature = signatureOf({ id, sentAt, body }, keys);
  const keyIds = keysAt(keys, sentAt).flatMap(({ published }) => published?.kid ?? []);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'X-Service-Event': kind,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': signature,
    ...(keyIds.length > 0 && { 'X-Service-Key-Id': keyIds.join(' ') }),
  };
}

export function messageOf(
  event: EventMessage,
  { url, payload, ownHeaders }: Pick<Outgoing, 'url'> & { readonly payload?: Payload; readonly ownHeaders?: Outgoing['headers'] },
  keys: readonly SigningKey[],
  sentAt: Date,
): Outgoing {
  const body = bodyOf(event, payload);
  return {
    organizationId: event.organizationId,
    url,
    headers: { ...ownHeaders, ...headersOf({ id: event.eventId, kind: event.kind, body }, keys, sentAt) },
    body,
    traceparent: event.traceparent,
  };
}
