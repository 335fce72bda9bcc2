import type { Plans } from '../../../kernel/plans.js';
import type { Statement } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import { insertPendingSql } from '../deliveries/pending-deliveries.js';
import type { SentWith } from '../deliveries/webhook-delivery.entity.js';
import { isDeliveredToSql } from '../endpoints/endpoint-rules.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { AnswerExcerpt } from './answer-excerpt.js';

/** How an attempt ended. `nextId`, `nextCreatedAt` and `nextAttemptAt` are of the retry; null when there is none. */
export interface Settled {
  readonly id: string;
  readonly status: 'delivered' | 'failed';
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly attemptedAt: string;
  readonly nextId: string | null;
  /** The time in its id. */
  readonly nextCreatedAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly sent: SentWith;
  /** null: none came. */
  readonly answer: AnswerExcerpt | null;
}

const ENDPOINT = `${selectList(entityColumns(WebhookEndpoint))}, next_send_at AS "nextSendAt"`;

const RETRY = insertPendingSql(
  {
    id: 'next_id',
    organizationId: '$8',
    environment: 'environment',
    createdAt: 'next_created_at',
    webhookId: 'webhook_id',
    eventId: 'event_id',
    eventKind: 'event_kind',
    attempt: 'attempt + 1',
    trigger: "'automatic'",
    scheduledAt: 'next_attempt_at',
    requestId: 'request_id',
    replayId: 'replay_id',
  },
  'FROM settled WHERE next_attempt_at IS NOT NULL',
);
/** The columns of `result`: one value of JSON takes less time to make and to read than an array for each column. */
const RESULT_TYPES: Record<keyof Settled, string> = {
  id: 'uuid',
  status: 'text',
  responseStatus: 'integer',
  errorCode: 'text',
  durationMs: 'integer',
  attemptedAt: 'timestamptz',
  nextId: 'uuid',
  nextCreatedAt: 'timestamptz',
  nextAttemptAt: 'timestamptz',
  sent: 'json',
  answer: 'json',
};
const RESULT_COLUMNS = Object.entries(RESULT_TYPES)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ');

/** The statements about endpoints that a worker holds or may take: only those of organizations that have webhooks. */
export function leaseStatements(plans: Plans) {
  const isActive = `status = 'active' AND ${isDeliveredToSql('organization_id', plans)}`;
  const isFree = `${isActive} AND (leased_until IS NULL OR leased_until < now())`;
  return { acquire: acquireSql(isFree), renew: renewSql(isActive), dueBefore: dueBeforeSql(isActive), settle: settleSql(isActive) };
}

const acquireSql = (isFree: string): Statement => ({
  name: 'webhook_endpoints.acquire',
  text: `UPDATE webhook_endpoints SET lease = $2, leased_until = $3 WHERE id = $1 AND ${isFree} RETURNING ${ENDPOINT}`,
});

const renewSql = (isActive: string): Statement => ({
  name: 'webhook_endpoints.renew',
  text: `UPDATE webhook_endpoints SET leased_until = $3 WHERE id = $1 AND organization_id = $4 AND lease = $2 AND ${isActive}
    RETURNING ${ENDPOINT}`,
});

/** A lease that ends in time may be that of a lost worker: the endpoint is free then. */
const dueBeforeSql = (isActive: string): Statement => ({
  name: 'webhook_endpoints.due_before',
  text: `SELECT endpoint.id, greatest(next.scheduled_at, endpoint.leased_until, endpoint.next_send_at) AS "dueAt"
    FROM webhook_endpoints endpoint
    CROSS JOIN LATERAL (
      SELECT scheduled_at FROM webhook_deliveries
      WHERE organization_id = endpoint.organization_id AND webhook_id = endpoint.id AND environment = endpoint.environment
        AND status = 'pending' AND scheduled_at <= $1
      ORDER BY scheduled_at LIMIT 1
    ) next
    WHERE ${isActive} AND (leased_until IS NULL OR leased_until < $1)`,
});

const settleSql = (isActive: string): Statement => ({
  name: 'webhook_deliveries.settle',
  // The endpoint is found by its lease: a worker that has lost the lease changes nothing, since another has taken over.
  text: `WITH endpoint AS (
      UPDATE webhook_endpoints SET leased_until = $3, last_delivery_at = greatest(last_delivery_at, $4),
        next_send_at = $7, failing_since = CASE WHEN $4::timestamptz IS NULL THEN coalesce(failing_since, $5) ELSE NULL END,
        failing_noticed_at = CASE WHEN $4 IS NULL THEN failing_noticed_at END
      WHERE id = $1 AND organization_id = $8 AND lease = $2 RETURNING ${ENDPOINT}, ${isActive} AS "isActive"
    ), result AS (
      SELECT * FROM json_to_recordset($6) AS result (${RESULT_COLUMNS})
    ), settled AS (
      UPDATE webhook_deliveries delivery SET status = result.status, response_status = result."responseStatus",
        error_code = result."errorCode", duration_ms = result."durationMs", attempted_at = result."attemptedAt",
        next_attempt_at = CASE WHEN endpoint.status = 'active' AND endpoint.environment = delivery.environment
          AND delivery.status = 'pending'
          THEN result."nextAttemptAt" END,
        updated_at = result."attemptedAt", sent = result.sent, answer = result.answer
      FROM result, endpoint WHERE delivery.organization_id = $8 AND delivery.id = result.id AND delivery.attempted_at IS NULL
      RETURNING delivery.*, result."nextId" AS next_id, result."nextCreatedAt" AS next_created_at
    ), retry AS (${RETRY})
    SELECT * FROM endpoint`,
});
