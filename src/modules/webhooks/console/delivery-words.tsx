import { Badge, type Tone } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import type { GiveUpReason } from '../deliveries/pending-deliveries.js';
import type { DeliveryStatus } from '../deliveries/webhook-delivery.entity.js';
import type { Outcome } from '../sending/sender.js';

type ErrorCode = NonNullable<Outcome['errorCode']> | GiveUpReason;

/** The codes of the delivery log, for people. */
const ERRORS: Record<ErrorCode, string> = {
  http_error: 'The receiver did not answer with 2xx',
  timeout: 'The receiver took too long',
  connection_failed: 'No connection, or it broke off',
  malformed_answer: 'The answer is not HTTP',
  name_not_resolved: 'The host name was not found',
  tls_failed: 'The certificate or the TLS connection is wrong',
  target_not_allowed: 'The URL leads to an address that is not allowed',
  endpoint_disabled: 'Not sent: the endpoint was paused or disabled',
  environment_changed: 'Not sent: the endpoint moved to the other environment',
  replay_stopped: 'Not sent: the replay was stopped',
};

const STATUSES: Record<DeliveryStatus, readonly [label: string, tone: Tone]> = {
  pending: ['Waiting', 'busy'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
};
export const STATUS_CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

export const DeliveryStatusBadge = ({ of: status }: { of: DeliveryStatus }) => (
  <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>
);

/** What came back, or why nothing did. */
export function resultInWords({ responseStatus, errorCode }: { responseStatus: number | null; errorCode: string | null }): string {
  if (responseStatus !== null) return `HTTP ${responseStatus}`;
  return errorCode === null ? '' : (ERRORS[errorCode as ErrorCode] ?? errorCode);
}

export const inMilliseconds = (ms: number | null): string => (ms === null ? '' : `${ms.toLocaleString('en')} ms`);
