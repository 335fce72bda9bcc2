import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { OrganizationService, type OrganizationChange } from '../../../src/modules/organization/index.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import {
  aProject,
  DELIVERING,
  openHook,
  replay,
  startDelivering,
  untilReceived,
  untilSettled,
  WEBHOOKS,
  type Hook,
} from '../../support/webhooks.js';

let app: TestApp;
const workers: TestProcess[] = [];
beforeAll(async () => {
  app = await startDelivering({ ROLE: 'api' });
});
afterAll(() => app.close());
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function aWorker(): Promise<void> {
  workers.push(await startProcess({ ...DELIVERING, ROLE: 'worker', DATABASE_URL: app.databaseUrl }));
}

const change = ({ organizationId }: Hook, wanted: OrganizationChange) =>
  app.app.get(OrganizationService).change(OPERATOR, organizationId, wanted);
const kindsOf = ({ receiver }: Hook) => receiver.received.map(({ headers }) => headers['x-service-event']);
const deliveriesOf = ({ webhook }: Hook) =>
  rowsOf(app.databaseUrl, 'SELECT event_kind AS kind, status, attempt FROM webhook_deliveries WHERE webhook_id = $1', [webhook.id]);

describe.each([
  ['whose plan was lowered', { plan: 'growth' }, { plan: 'enterprise' }],
  ['that was suspended', { status: 'suspended' }, { status: 'active' }],
] as const)('an organization %s', (_what, loss, recovery) => {
  it('is sent nothing: what was due waits until it is entitled again, and events from meanwhile can be replayed', async () => {
    const hook = await openHook(app, { subscribedEvents: ['claim_project.created', 'organization.updated'] });
    const other = await openHook(app);
    const start = new Date().toISOString();
    await aProject(hook.api);
    await change(hook, loss);
    await change(hook, { name: 'Renamed meanwhile' });
    await aProject(other.api);
    // It looks for due deliveries when it starts, and finds those of both.
    await aWorker();
    await untilSettled(other);
    expect(kindsOf(hook)).toEqual([]);
    expect(await deliveriesOf(hook)).toEqual([{ kind: 'claim_project.created', status: 'pending', attempt: 1 }]);
    expect((await hook.api.get(`${WEBHOOKS}/${hook.webhook.id}/deliveries`)).status).toBe(403);

    await change(hook, recovery);
    await untilReceived(hook.receiver, 2);
    expect(kindsOf(hook).sort()).toEqual(['claim_project.created', 'organization.updated']);

    await untilSettled(hook);
    // The loss itself and the new name.
    expect(await replay(app, hook, start)).toBe(2);
    await untilReceived(hook.receiver, 4);
    expect(await untilSettled(hook)).toHaveLength(4);
    expect(new Set(hook.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
  });

  it('is sent nothing more from that moment on, although much is due and a worker is at it', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) => void setTimeout(() => response.end(), 100);
    await Promise.all(Array.from({ length: 60 }, () => aProject(hook.api)));
    await aWorker();
    await eventually(() => expect(hook.receiver.received.length).toBeGreaterThan(8));
    await change(hook, loss);
    const sentBefore = hook.receiver.received.length;
    await eventually(async () =>
      expect(await rowsOf(app.databaseUrl, 'SELECT lease FROM webhook_endpoints WHERE id = $1', [hook.webhook.id])).toEqual([
        { lease: null },
      ]),
    );
    // Those that had been read already.
    expect(hook.receiver.received.length).toBeLessThanOrEqual(sentBefore + app.settings.webhookMaxConcurrency);
    expect(hook.receiver.received.length).toBeLessThan(60);
    await change(hook, recovery);
    await untilReceived(hook.receiver, 60);
  });

  it('may replay and redeliver, which waits as well', async () => {
    const [hook, other] = [await openHook(app), await openHook(app)];
    const start = new Date().toISOString();
    await aProject(hook.api);
    await aProject(other.api);
    await rowsOf(app.databaseUrl, "UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = $1", [hook.webhook.id]);
    await change(hook, loss);
    expect(await replay(app, hook, start)).toBe(1);
    await aWorker();
    await untilSettled(other);
    expect(kindsOf(hook)).toEqual([]);
    await change(hook, recovery);
    await untilReceived(hook.receiver, 1);
  });
});
