// What the benchmarks of deliveries share: records, and calls of the API and of the receiver.

export const RECEIVER = 'http://127.0.0.1:3831';
export const WEBHOOK_ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64') };

/** The record of each event. */
const data = {
  id: '00000000-0000-7000-8000-000000000000',
  environment: 'test',
  name: 'Berlin office 2026',
  clientReference: 'CLIENT-1042',
  periodStart: '2026-01-01',
  periodEnd: '2026-12-31',
  status: 'active',
  metadata: { officeCode: 'BER-1' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** A body like those that are sent. */
export const bodyOf = () =>
  JSON.stringify({
    id: data.id,
    type: 'claim_project.created',
    timestamp: data.createdAt,
    apiVersion: 'v1',
    environment: 'test',
    organizationId: data.id,
    data,
  });

/** Inserts events with due deliveries, spread over the endpoints. */
export async function fill(sql, webhookIds, deliveries) {
  const id = "overlay(gen_random_uuid()::text PLACING left($1, 13) || '-7' FROM 1)::uuid";
  await sql(
    `WITH target AS (
       SELECT id AS webhook_id, organization_id, environment, row_number() OVER () - 1 AS place FROM webhook_endpoints WHERE id = ANY ($2)),
     made AS (
       INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
       SELECT ${id}, organization_id, environment, 'claim_project.created', webhook_id, now(), $3::json
       FROM generate_series(1, $4) n JOIN target ON target.place = n % (SELECT count(*) FROM target)
       RETURNING *)
     INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt,
       trigger, status, scheduled_at)
     SELECT ${id}, organization_id, environment, now(), now(), resource_id, id, kind, 1, 'automatic', 'pending', now() FROM made`,
    [timePrefix(), webhookIds, JSON.stringify(data), deliveries],
  );
  await sql('ANALYZE events');
  await sql('ANALYZE webhook_deliveries');
}

export function timePrefix() {
  const hex = Date.now().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export async function post(url, key, path, body) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': `${process.pid}-${performance.now()}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
  return answer.json();
}

export async function receivedCount() {
  return Number(await (await fetch(`${RECEIVER}/count`)).text());
}

export async function until(check) {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
}
