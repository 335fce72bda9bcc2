import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { StatementProxy } from '../../support/postgres-statements.js';
import { aProject, DELIVERING, openHook, startDelivering, type Hook } from '../../support/webhooks.js';

const DUE = 600;

let app: TestApp;
let worker: TestApp;
let proxy: StatementProxy;
/** The statements of the worker about deliveries. */
const sent: string[] = [];

/** An endpoint with many due deliveries of one event. */
async function aHookWithMuchDue(wanted: object = {}): Promise<Hook> {
  const hook = await openHook(app, wanted);
  await aProject(hook.api);
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt,
       trigger, status, scheduled_at)
     SELECT overlay(gen_random_uuid()::text PLACING left(id::text, 14) FROM 1)::uuid, organization_id, environment, created_at, updated_at,
       webhook_id, event_id, event_kind, attempt, trigger, status, scheduled_at
     FROM webhook_deliveries, generate_series(2, $2) WHERE webhook_id = $1`,
    [hook.webhook.id, DUE],
  );
  return hook;
}

const delivered = async ({ webhook }: Hook): Promise<number> => {
  const sql = `SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'delivered'`;
  return (await rowsOf(app.databaseUrl, sql, [webhook.id])).length;
};

beforeAll(async () => {
  app = await startDelivering({ ROLE: 'api' });
  proxy = await StatementProxy.to(app.databaseUrl);
  proxy.handle = (text, _link, pass) => {
    if (text.includes('webhook_deliveries') || text.includes('FROM events') || text.includes('JOIN events')) sent.push(text);
    pass();
  };
});
afterAll(async () => {
  await worker.close();
  await proxy.tcp.close();
  await app.close();
});

describe('deliveries to a quick receiver', () => {
  it('are read and written in portions: the statements are less than a twentieth of the deliveries', async () => {
    const hook = await aHookWithMuchDue();
    worker = await startApp({ ...DELIVERING, DATABASE_URL: proxy.tcp.url, ROLE: 'worker' });
    await eventually(async () => expect(await delivered(hook)).toBe(DUE), 60_000);
    expect(hook.receiver.received).toHaveLength(DUE);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(DUE / 20);
  });

  it('whose records are not small have the same bodies, read one by one', async () => {
    const hook = await openHook(app);
    const metadata = { note: 'x'.repeat(6000) };
    const project = { name: 'Large', periodStart: '2026-01-01', periodEnd: '2026-12-31', metadata };
    const answer = await hook.api.post('/v1/claim-projects', project);
    expect(answer.status, answer.text).toBe(201);
    await eventually(async () => expect(await delivered(hook)).toBe(1), 20_000);
    expect(JSON.parse(hook.receiver.received[0]!.body)).toMatchObject({ data: { metadata } });
  });
});
