import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { WebhookDelivery } from '../../../src/modules/webhooks/deliveries/webhook-delivery.entity.js';
import { entityColumns } from '../../../src/store/database/sql.js';
import { filterValue, pageSql, plainParams, shapeOf } from '../../../src/store/tenant/page-sql.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { expectProblem } from '../../support/problem.js';
import { aProject, openHook, renameProject, startDelivering, untilReceived, untilSettled, type Delivery } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s,100ms' });
});
afterAll(() => app.close());

const idsOf = (log: readonly Delivery[]): string[] => log.map(({ id }) => id);
const queryOf = (query: Record<string, string>): string => `?${new URLSearchParams(query).toString()}`;

describe('the delivery log', () => {
  it('is filtered by kind, event, status and time, each alone and together', async () => {
    const hook = await openHook(app);
    const { id } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    hook.receiver.answer = (_received, response) => void response.writeHead(500).end();
    await renameProject(hook.api, id, 'Renamed');
    await untilReceived(hook.receiver, 3);
    const all = (await untilSettled(hook)) as [Delivery, Delivery, Delivery];
    const [retry, updated, created] = all;
    expect(all.map(({ eventKind }) => eventKind)).toEqual(['claim_project.updated', 'claim_project.updated', 'claim_project.created']);
    const found = async (query: Record<string, string>) => idsOf(await hook.log(queryOf(query)));
    expect(await found({ event_kind: 'claim_project.updated' })).toEqual(idsOf([retry, updated]));
    expect(await found({ event_kind: 'claim_report.succeeded' })).toEqual([]);
    expect(await found({ event_id: updated.eventId })).toEqual(idsOf([retry, updated]));
    expect(await found({ event_id: created.eventId.toUpperCase() })).toEqual([created.id]);
    expect(await found({ event_id: newId() })).toEqual([]);
    expect(await found({ since: created.createdAt, until: '9999-12-31T23:59:59Z' })).toEqual(idsOf(all));
    expect(await found({ since: retry.createdAt })).toEqual([retry.id]);
    expect(await found({ until: retry.createdAt })).toEqual(idsOf([updated, created]));
    expect(await found({ since: '0001-01-01T00:00:00Z', until: '1969-12-31T23:59:59Z' })).toEqual([]);
    expect(await found({ since: updated.createdAt, until: retry.createdAt, status: 'failed', event_kind: updated.eventKind })).toEqual([
      updated.id,
    ]);
  });

  it.each([
    ['event_kind', 'claim_project.vanished'],
    ['event_id', 'x'],
    ['since', 'yesterday'],
    ['until', '2026-01-01'],
  ])('refuses %s=%s and names the parameter', async (field, value) => {
    const hook = await openHook(app);
    const problem = expectProblem(await hook.api.get(`${hook.path}/deliveries${queryOf({ [field]: value })}`), 'validation_failed');
    expect(problem.errors).toMatchObject([{ location: 'query', field }]);
  });

  it('of an endpoint with 100,000 attempts is read by the pages of an index, with each filter', async () => {
    const hook = await openHook(app, { status: 'disabled' });
    const other = newId();
    // Each second attempt is of another endpoint.
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt,
         trigger, status, scheduled_at)
       SELECT (left(time, 8) || '-' || right(time, 4) || '-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, $1, 'test', now(), now(),
         CASE WHEN number % 2 = 0 THEN $2::uuid ELSE $3::uuid END, gen_random_uuid(),
         CASE WHEN number % 100 = 0 THEN 'claim_project.updated' ELSE 'claim_project.created' END, 1, 'automatic',
         CASE WHEN number % 1000 = 0 THEN 'failed' ELSE 'delivered' END, now()
       FROM generate_series(1, 200000) AS number,
         LATERAL (SELECT lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - number), 12, '0') AS time) made`,
      [hook.organizationId, hook.webhook.id, other],
    );
    await rowsOf(app.databaseUrl, 'ANALYZE webhook_deliveries');
    const [some] = (await hook.log()) as [Delivery];
    const options = { within: 'webhookId' };
    const filters = { status: 'failed', eventKind: 'claim_project.updated', eventId: some.eventId, until: some.createdAt };
    for (const filter of [undefined, ...Object.entries(filters)]) {
      const used: [string, unknown][] = [['webhookId', hook.webhook.id], ...(filter ? [filter] : [])];
      const names = used.map(([name]) => name);
      const { text } = pageSql(entityColumns(WebhookDelivery), shapeOf(names, false, 0n, options), options);
      const values = [hook.organizationId, 'test', 51, '0', ...used.map(filterValue), ...plainParams(true)];
      const [plan] = await rowsOf<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        app.databaseUrl,
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      );
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan!['QUERY PLAN'][0].Plan;
      // All rows are in some 4,000 blocks.
      expect(hit! + read!, names.join(' and ')).toBeLessThan(700);
    }
  });
});
