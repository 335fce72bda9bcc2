import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { Clock } from '../../src/kernel/time.js';
import { DueDeliveriesRepository, type Settled } from '../../src/modules/webhooks/sending/due-deliveries.repository.js';
import { seeded } from './simulation.js';
import { ModelledDeliveries, type Deliveries } from './modelled-deliveries.js';
import type { TestApp } from '../support/app.js';
import { startApp } from '../support/app.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { openHook, type Hook } from '../support/webhooks.js';

const STEPS = 400;
const MINUTE_MS = 60_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let hooks: Hook[];
let real: DueDeliveriesRepository;
const model = new ModelledDeliveries(new Clock());
const random = seeded(1);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
/** Far enough from now that the test's own time decides nothing, and never the same twice. */
const aTime = () => new Date(start + Math.floor((oneOf([-60, 60]) + random() * 30) * MINUTE_MS));
const start = Date.now();

beforeAll(async () => {
  database = await createDatabase();
  // No worker: the test is the only one that takes endpoints.
  app = await startApp({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  real = app.app.get(DueDeliveriesRepository);
  hooks = [await openHook(app), await openHook(app), await openHook(app)];
  for (const { webhook } of hooks) model.add((await real.acquire(webhook.id, newId(), new Date(0)))!);
  for (const { webhook } of hooks)
    await rowsOf(database.url, 'UPDATE webhook_endpoints SET lease = NULL, leased_until = NULL WHERE id = $1', [webhook.id]);
});
afterAll(async () => {
  await app.close();
  await Promise.all(hooks.map(({ receiver }) => receiver.close()));
  await database.drop();
});

async function schedule({ webhook, organizationId }: Hook): Promise<void> {
  const [id, eventId, at] = [newId(), newId(), aTime()];
  await rowsOf(
    database.url,
    `WITH event AS (INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
       VALUES ($1, $2, 'test', 'claim_project.created', $1, now(), '{}') RETURNING *)
     INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt,
       trigger, status, scheduled_at)
     SELECT $3, organization_id, environment, now(), now(), $4, id, kind, 1, 'automatic', 'pending', $5 FROM event`,
    [eventId, organizationId, id, webhook.id, at.toISOString()],
  );
  model.schedule(webhook.id, { id, eventId, attempt: 1, scheduledAtMs: at.getTime() });
}

function aResult(id: string): Settled {
  const isDelivered = random() < 0.5;
  const next = isDelivered || random() < 0.2 ? null : aTime().toISOString();
  return {
    id,
    status: isDelivered ? 'delivered' : 'failed',
    responseStatus: isDelivered ? 200 : 500,
    errorCode: isDelivered ? null : 'http_error',
    durationMs: 1,
    attemptedAt: new Date().toISOString(),
    nextId: next && newId(),
    nextCreatedAt: next && new Date().toISOString(),
    nextAttemptAt: next,
    sent: { url: 'https://receiver.example', payload: 'full', headerNames: [] },
    answer: null,
  };
}

/** A statement with the same values for both; what it returns is what both know. */
function aStep(leases: readonly string[]): (deliveries: Deliveries) => Promise<unknown> {
  const { webhook } = oneOf(hooks);
  const { row: known, pending } = model.endpoints.get(webhook.id)!;
  // As a worker has read it: the model changes its own.
  const row = { ...known };
  const [lease, time, nextSendAt] = [oneOf(leases), aTime(), oneOf([null, aTime()])];
  const some = pending.filter(() => random() < 0.3).map(({ id }) => id);
  const results = some.map(aResult);
  const heldOf = (endpoint: object | undefined) => endpoint !== undefined;
  return oneOf<(deliveries: Deliveries) => Promise<unknown>>([
    (deliveries) => deliveries.acquire(webhook.id, lease, time).then(heldOf),
    (deliveries) => deliveries.acquire(webhook.id, lease, time).then(heldOf),
    (deliveries) => deliveries.renew(row, lease, time).then(heldOf),
    (deliveries) => deliveries.release(row, lease),
    (deliveries) => deliveries.due(row, time, some, 5).then((due) => due.map(({ id, attempt, eventId }) => [id, attempt, eventId])),
    (deliveries) => deliveries.nextDueAt(row),
    (deliveries) => deliveries.endpointsDueBefore(time).then((due) => due.map(({ id, dueAt }) => `${id} ${dueAt.toISOString()}`).sort()),
    (deliveries) => deliveries.settle(row, lease, { until: time, nextSendAt }, results).then(heldOf),
  ]);
}

/** What the tables have of an endpoint, as the model has it. */
async function stored(id: string) {
  const [endpoint] = await rowsOf<{ lease: string | null }>(
    database.url,
    'SELECT lease, failing_since IS NULL AS works, failures FROM webhook_endpoints WHERE id = $1',
    [id],
  );
  const pending = await rowsOf(
    database.url,
    "SELECT id, event_id, attempt FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' ORDER BY scheduled_at, id",
    [id],
  );
  return { endpoint, pending };
}

it('the model of due deliveries, by which deliveries are simulated, does what the statements do', async () => {
  const leases = [newId(), newId()];
  for (let step = 0; step < STEPS; step += 1) {
    if (random() < 0.4) await schedule(oneOf(hooks));
    const run = aStep(leases);
    const modelled = await run(model);
    expect(await run(real), `step ${step}`).toEqual(modelled);
  }
  for (const { webhook } of hooks) {
    const { lease, row, pending } = model.endpoints.get(webhook.id)!;
    const rows = pending.map(({ id, eventId, attempt }) => ({ id, event_id: eventId, attempt }));
    const { failingSince, failures } = row;
    expect(await stored(webhook.id)).toEqual({ endpoint: { lease, works: failingSince === null, failures }, pending: rows });
  }
  const [first] = hooks as [Hook];
  const lease = newId();
  const endpoint = model.endpoints.get(first.webhook.id)!;
  const held = endpoint.lease ?? lease;
  for (const each of [model, real]) await each.release(endpoint.row, held);
  for (const each of [model, real]) {
    const held = (await each.acquire(first.webhook.id, lease, new Date(start + 60 * MINUTE_MS)))!;
    await each.disable(held, lease, 'gone', new Date().toISOString());
    expect(await each.acquire(first.webhook.id, lease, new Date(0))).toBeUndefined();
  }
  expect((await stored(first.webhook.id)).pending).toEqual([]);
});
