import { counter, duration } from '../../../kernel/metrics.js';
import type { Outcome } from './sender.js';

const ATTEMPTS = counter('deliveries_total', 'Attempts to deliver an event, by how they ended.', ['outcome']);
const TOOK = duration('delivery_duration_seconds', 'How long endpoints took to answer, or attempts to fail.', 'requests');

export const ENDPOINTS_DISABLED = counter('endpoints_disabled_total', 'Endpoints that were disabled because they failed.', ['reason']);

export function countAttempt({ errorCode, durationMs }: Outcome): void {
  ATTEMPTS.inc({ outcome: errorCode ?? 'delivered' });
  TOOK.observe(durationMs / 1000);
}
