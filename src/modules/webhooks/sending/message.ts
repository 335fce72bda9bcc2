import { signatureOf, type SigningKey } from '../endpoints/webhook-secret.js';
import type { DueDelivery } from './due-deliveries.repository.js';
import type { Outgoing } from './sender.js';

/** The event of a delivery. */
export type EventMessage = Omit<DueDelivery, 'id' | 'attempt' | 'requestId'>;

/** The request for an event. Every attempt has the same body and `webhook-id`, and a signature with its own time. */
export function messageOf(
  { eventId: id, kind, occurredAt, environment, organizationId, data, changedFields }: EventMessage,
  url: string,
  keys: readonly SigningKey[],
  sentAt: Date,
): Outgoing {
  const body = JSON.stringify({
    id,
    type: kind,
    timestamp: occurredAt,
    apiVersion: 'v1',
    environment,
    organizationId,
    data,
    ...(changedFields && { changedFields }),
  });
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
  return { url, headers, body };
}
