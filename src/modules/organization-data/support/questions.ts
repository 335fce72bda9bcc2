import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';

/** What answers show is about records, not about people: no file names, addresses, texts of bookings or names of credentials. */
const OF_ORGANIZATION = {
  endpoints: organizationSql(
    'support.endpoints',
    `SELECT id, environment, status, disabled_reason AS why, failing_since AS "failing since", last_delivery_at AS "last delivery",
        (SELECT count(*)::int FROM webhook_deliveries delivery WHERE delivery.organization_id = webhook_endpoints.organization_id
          AND webhook_id = webhook_endpoints.id AND delivery.status = 'pending') AS pending
      FROM webhook_endpoints WHERE ${ORGANIZATION} ORDER BY id`,
  ),
  deliveries: organizationSql(
    'support.deliveries',
    `SELECT id, event_kind AS event, attempt, status, response_status AS answered, error_code AS error, duration_ms AS ms,
        scheduled_at AS scheduled, attempted_at AS attempted, next_attempt_at AS next
      FROM webhook_deliveries WHERE ${ORGANIZATION} AND webhook_id = :id ORDER BY id DESC LIMIT 50`,
  ),
  delivery: organizationSql(
    'support.delivery',
    `SELECT delivery.id, event_kind AS event, event_id AS "event id", delivery.status, attempt, trigger, scheduled_at AS scheduled,
        attempted_at AS attempted, response_status AS answered, error_code AS error, duration_ms AS ms, request_id AS request,
        next_attempt_at AS next, endpoint.status AS endpoint, endpoint.disabled_reason AS "endpoint why",
        endpoint.leased_until AS "worked on until", left(answer->>'body', 200) AS "receiver said"
      FROM webhook_deliveries delivery LEFT JOIN webhook_endpoints endpoint
        ON endpoint.organization_id = delivery.organization_id AND endpoint.id = webhook_id
      WHERE delivery.organization_id = :organizationId AND delivery.id = :id`,
  ),
  statement: organizationSql(
    'support.statement',
    `SELECT id, environment, redaction_status AS status, certainty, format, size_bytes AS bytes, line_count AS lines, currency,
        created_at AS imported, taken_at AS taken, leased_until AS "worked on until", lost_workers AS "workers lost",
        failure->>'code' AS failed, failure->>'message' AS why, warnings::text AS warnings, content_removed_at AS "content removed"
      FROM bank_statements WHERE ${ORGANIZATION} AND id = :id`,
  ),
  run: organizationSql(
    'support.run',
    `SELECT id, environment, status, queued_at AS queued, started_at AS started, finished_at AS finished, taken_at AS taken,
        leased_until AS "worked on until", lost_workers AS "workers lost", failure->>'code' AS failed, failure->>'message' AS why,
        progress::text AS progress, result_bytes AS "result bytes", report_configuration_id AS configuration
      FROM claim_reports WHERE ${ORGANIZATION} AND id = :id`,
  ),
  audit: organizationSql(
    'support.audit',
    `SELECT sequence, at, environment, by, action, resource, request FROM (
        SELECT sequence::float8, occurred_at AS at, environment, actor_type AS by, action, resource_id AS resource, request_id AS request
          FROM audit_events WHERE ${ORGANIZATION} AND created_at > now() - interval '30 days'
        UNION ALL SELECT NULL, occurred_at, environment, actor_type, action, resource_id, request_id
          FROM audit_entries WHERE ${ORGANIZATION}
      ) entries ORDER BY at DESC LIMIT 50`,
  ),
};

const WORK = `SELECT organization_id, 'report runs' AS work, status, queued_at AS since, lost_workers AS lost FROM claim_reports
      WHERE status IN ('queued', 'running')
    UNION ALL SELECT organization_id, 'statements', redaction_status, created_at, lost_workers FROM bank_statements
      WHERE redaction_status IN ('pending', 'queued', 'running')
    UNION ALL SELECT organization_id, 'deliveries', 'pending', scheduled_at, 0 FROM webhook_deliveries
      WHERE status = 'pending' AND scheduled_at <= now()
    UNION ALL SELECT organization_id, 'mails', 'waiting', created_at, 0 FROM outgoing_mails` as const;

const ACROSS = {
  top: acrossTenants(
    'support.top',
    'An operator looks for what is loud now.',
    `SELECT slug AS organization, calls.environment, count(*)::int AS kept, count(*) FILTER (WHERE calls.status >= 500)::int AS broken,
        count(*) FILTER (WHERE calls.status = 429)::int AS limited,
        count(*) FILTER (WHERE calls.status BETWEEN 400 AND 499)::int AS refused,
        sum(duration_ms)::int AS ms, mode() WITHIN GROUP (ORDER BY operation) AS "most often"
      FROM api_requests calls JOIN organizations ON organizations.id = organization_id
      WHERE calls.id > :id GROUP BY slug, calls.environment ORDER BY sum(duration_ms) DESC LIMIT 20`,
  ),
  request: acrossTenants(
    'support.request',
    'An operator was told the id of a call, and not whose it is.',
    `SELECT slug AS organization, calls.environment, answered_at AS answered, method, path, calls.status, problem, duration_ms AS ms,
        credential_id AS credential
      FROM api_requests calls JOIN organizations ON organizations.id = organization_id
      WHERE request_id = :id ORDER BY calls.id DESC LIMIT 50`,
  ),
  jobs: acrossTenants(
    'support.jobs',
    'An operator looks at the queues of all tenants.',
    `SELECT slug AS organization, work, work.status, count(*)::int AS rows, min(since) AS oldest, sum(lost)::int AS "workers lost"
      FROM (${WORK}) work JOIN organizations ON organizations.id = organization_id
      GROUP BY slug, work, work.status ORDER BY oldest LIMIT 100`,
  ),
  dailyJobs: acrossTenants(
    'support.daily_jobs',
    'An operator looks at what ran for all organizations.',
    `SELECT job_id AS job, day::text AS day, count(finished_at)::int AS done, (count(*) - count(finished_at))::int AS open,
        count(error_code)::int AS failed, max(error_code) AS error, max(finished_at) AS finished
      FROM job_turns run WHERE day = (SELECT max(day) FROM job_turns latest WHERE latest.job_id = run.job_id) GROUP BY job_id, day`,
  ),
  queues: acrossTenants(
    'support.queues',
    'A supporter sees how much waits, and not whose it is.',
    `SELECT work, status, count(*)::int AS rows, count(DISTINCT organization_id)::int AS organizations, min(since) AS oldest,
        sum(lost)::int AS lost FROM (${WORK}) work GROUP BY work, status ORDER BY oldest`,
  ),
  tables: acrossTenants(
    'support.tables',
    'A supporter sees how large tables are.',
    `SELECT relname AS "table", n_live_tup::float8 AS rows, n_dead_tup::float8 AS dead, pg_total_relation_size(relid)::float8 AS bytes,
        last_autovacuum AS vacuumed FROM pg_stat_user_tables ORDER BY bytes DESC LIMIT 30`,
  ),
  owner: acrossTenants(
    'support.owner',
    'An operator was told the id of a record, and not whose it is.',
    `SELECT organization_id AS "organizationId" FROM webhook_endpoints WHERE id = :id
      UNION ALL SELECT organization_id FROM webhook_deliveries WHERE id = :id
      UNION ALL SELECT organization_id FROM bank_statements WHERE id = :id
      UNION ALL SELECT organization_id FROM claim_reports WHERE id = :id LIMIT 1`,
  ),
};

export type QuestionAbout = keyof typeof OF_ORGANIZATION;
export type QuestionAcross = Exclude<keyof typeof ACROSS, 'owner'>;
export const QUESTIONS = { ...OF_ORGANIZATION, ...ACROSS };
