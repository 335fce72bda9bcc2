import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openHook, startDelivering } from '../support/webhooks.js';

const MISSED = 10_000;
/** Within this time a receiver is caught up. */
const WITHIN_MS = 300_000;

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

interface Total {
  readonly pagination: { readonly total: number; readonly totalRelation: string };
}

it.each([false, true])(
  'ten thousand events that a receiver missed within six hours arrive by one call, each once, with ordered %s in their order',
  async (ordered) => {
    const hook = await openHook(app, { status: 'disabled', ordered });
    const path = `/v1/webhooks/${hook.webhook.id}`;
    // Written as they would have been, so that the test need not wait for six hours.
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
        SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(number % 4096), 3, '0') || '8'
            || substr(md5(number::text), 1, 15))::uuid,
          $1, 'test', 'claim_project.created', gen_random_uuid(), at, json_build_object('number', number)
        FROM (SELECT number, now() - interval '6 hours' + number * interval '2 seconds' AS at
          FROM generate_series(1, ${MISSED}) AS number) made`,
      [hook.organizationId],
    );
    const since = new Date(Date.now() - 7 * 3_600_000).toISOString();
    expect((await hook.api.get(`${path}/missed?since=${since}`)).body).toMatchObject({ deliveries: MISSED });
    await hook.change({ status: 'active' });
    const startedAt = performance.now();
    expect((await hook.api.post(`${path}/replays`, { since })).body).toEqual({ deliveries: MISSED });
    const pending = async (): Promise<Total> => (await hook.api.get(`${path}/deliveries?status=pending&page_size=1`)).body as Total;
    await eventually(async () => expect((await pending()).pagination).toMatchObject({ total: 0 }), WITHIN_MS);
    const seconds = (performance.now() - startedAt) / 1000;
    const numbers = hook.receiver.received.map(({ body }) => (JSON.parse(body) as { data: { number: number } }).data.number);
    expect(numbers).toHaveLength(MISSED);
    expect(new Set(numbers).size).toBe(MISSED);
    if (ordered) expect(numbers).toEqual(Array.from({ length: MISSED }, (_, index) => index + 1));
    expect(new Set(hook.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(MISSED);
    expect((await hook.api.get(`${path}/missed?since=${since}`)).body).toMatchObject({ deliveries: 0 });
    process.stdout.write(`${MISSED} missed deliveries, ordered ${ordered}: ${seconds.toFixed(1)} s\n`);
  },
  2 * WITHIN_MS,
);
