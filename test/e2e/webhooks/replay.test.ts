import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { EndpointOperations } from '../../../src/modules/webhooks/index.js';
import type { TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import {
  aProject,
  openHook,
  renameProject,
  replay,
  startDelivering,
  untilReceived,
  untilSettled,
  type Hook,
} from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });
});
afterAll(() => app.close());

const replays = () => app.app.get(EndpointOperations);
const start = new Date().toISOString();
const NOTHING = { delivered: 0, failed: 0, retrying: 0, waiting: 0, stopped: 0 };

/** An endpoint that has missed so many events while it was disabled. */
async function missing(events: number, wanted: object = {}): Promise<Hook> {
  const hook = await openHook(app, { status: 'disabled', ...wanted });
  for (let count = 0; count < events; count += 1) await aProject(hook.api);
  await hook.change({ status: 'active' });
  return hook;
}

it('a preview counts what would be sent, by kind, and sends nothing', async () => {
  const hook = await openHook(app, { status: 'disabled' });
  const { id } = await aProject(hook.api);
  await renameProject(hook.api, id, 'Renamed');
  await renameProject(hook.api, id, 'Renamed again');
  await hook.change({ status: 'active' });
  const [webhookId, wanted] = [hook.webhook.id, { since: start }];
  const shown = await replays().preview(webhookId, wanted);
  expect(shown).toMatchObject([
    { kind: 'claim_project.created', deliveries: 1 },
    { kind: 'claim_project.updated', deliveries: 2 },
  ]);
  for (const { firstAt, lastAt } of shown) expect(Date.parse(lastAt)).toBeGreaterThanOrEqual(Date.parse(firstAt));
  expect(shown[1]!.firstAt).not.toBe(shown[1]!.lastAt);
  expect(await replays().preview(webhookId, { ...wanted, kinds: ['claim_project.created'] })).toEqual([shown[0]]);
  expect(await hook.log()).toEqual([]);
  expect(await replays().replay(OPERATOR, webhookId, { ...wanted, kinds: ['claim_project.created'] })).toMatchObject({ deliveries: 1 });
  await untilSettled(hook);
  expect(await replays().preview(webhookId, wanted)).toEqual([shown[1]]);
});

it('a replay of kinds that the endpoint does not subscribe to is refused, and says so', async () => {
  const hook = await openHook(app);
  const wanted = { since: start, kinds: ['claim_report.failed'] };
  await expect(replays().preview(hook.webhook.id, wanted)).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(replays().replay(OPERATOR, hook.webhook.id, wanted)).rejects.toMatchObject({ code: 'validation_failed' });
});

it('the progress of a replay counts each event once, and those of other replays not at all', async () => {
  const hook = await missing(3);
  hook.receiver.answer = (_received, response) => void response.writeHead(hook.receiver.received.length > 1 ? 500 : 200).end();
  const { replayId } = await replays().replay(OPERATOR, hook.webhook.id, { since: start });
  await eventually(async () =>
    expect(await replays().progress(hook.webhook.id, replayId)).toEqual({ ...NOTHING, delivered: 1, retrying: 2 }),
  );
  await aProject(hook.api);
  await untilReceived(hook.receiver, 4);
  expect(await replays().progress(hook.webhook.id, replayId)).toEqual({ ...NOTHING, delivered: 1, retrying: 2 });
});

it('a replay that is stopped sends no more, says so in log and audit, and can be repeated', async () => {
  // One delivery a minute: the others wait.
  const hook = await missing(5, { rateLimit: 1 });
  const { replayId } = await replays().replay(OPERATOR, hook.webhook.id, { since: start });
  await eventually(async () =>
    expect(await replays().progress(hook.webhook.id, replayId)).toEqual({ ...NOTHING, delivered: 1, waiting: 4 }),
  );
  // An event that is no part of the replay stays.
  await aProject(hook.api);
  expect(await replays().stopReplays(OPERATOR, hook.webhook.id)).toBe(4);
  expect(await replays().progress(hook.webhook.id, replayId)).toEqual({ ...NOTHING, delivered: 1, stopped: 4 });
  const log = await hook.log();
  expect(log.filter(({ status }) => status === 'pending')).toMatchObject([{ trigger: 'automatic' }]);
  expect(log.filter(({ errorCode }) => errorCode === 'replay_stopped')).toHaveLength(4);
  expect((await stepsOf(app, hook.webhook.id)).at(-1)).toMatchObject({
    action: 'webhook.replay_stopped',
    changes: { deliveries: { from: 4, to: 0 } },
  });
  expect(await replays().stopReplays(OPERATOR, hook.webhook.id)).toBe(0);
  await hook.change({ rateLimit: null });
  expect(await replay(app, hook, start)).toBe(4);
  await untilReceived(hook.receiver, 6);
});

it('a delivery that is being sent while its replay is stopped has its true result, and no retry', async () => {
  const hook = await missing(1);
  let finish = (): void => undefined;
  hook.receiver.answer = (_received, response) => (finish = () => void response.writeHead(500).end());
  const { replayId } = await replays().replay(OPERATOR, hook.webhook.id, { since: start });
  await untilReceived(hook.receiver, 1);
  expect(await replays().stopReplays(OPERATOR, hook.webhook.id)).toBe(1);
  finish();
  await eventually(async () =>
    expect(await hook.log()).toMatchObject([{ status: 'failed', errorCode: 'http_error', responseStatus: 500 }]),
  );
  expect(await hook.log()).toMatchObject([{ nextAttemptAt: null }]);
  expect(await replays().progress(hook.webhook.id, replayId)).toEqual({ ...NOTHING, failed: 1 });
});

it('the retry of a replayed delivery is taken back too', async () => {
  const hook = await missing(1);
  hook.receiver.answer = (_received, response) => void response.writeHead(500).end();
  await replays().replay(OPERATOR, hook.webhook.id, { since: start });
  await eventually(async () => expect(await hook.log('?status=pending')).toMatchObject([{ attempt: 2 }]));
  expect(await replays().stopReplays(OPERATOR, hook.webhook.id)).toBe(1);
  expect(await hook.log()).toMatchObject([
    { attempt: 2, status: 'failed', errorCode: 'replay_stopped', attemptedAt: null },
    { attempt: 1, status: 'failed', errorCode: 'http_error' },
  ]);
});
