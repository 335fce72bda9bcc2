import { signatureOf } from '../endpoints/webhook-secret.js';
import type { Due } from './due-deliveries.repository.js';
import type { Outgoing } from './sender.js';

/** What of a delivery is told. */
export type Message = Omit<Due, 'id' | 'attempt' | 'requestId'>;

/** What is posted for an event: the same body and id with every attempt, signed anew with the time of each. */
export function messageOf(
  { eventId: id, kind, occurredAt, environment, organizationId, data, changedFields }: Message,
  url: string,
  secrets: readonly string[],
  now: Date,
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
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = signatureOf({ id, timestamp, body }, secrets);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
    'X-Service-Event': kind,
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': signature,
  };
  return { url, headers, body };
}
