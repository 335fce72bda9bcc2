import { afterAll, beforeAll, expect, it } from 'vitest';
import { subscribableKinds } from '../../../src/kernel/declare-event.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Client } from '../../support/client.js';
import type { TestApp } from '../../support/app.js';
import {
  aProject,
  openHook,
  renameProject,
  replay,
  startDelivering,
  untilReceived,
  webhookInput,
  WEBHOOKS,
} from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

const aCategory = async (api: Client, projectId: string | null) =>
  expect((await api.post('/v1/expense-categories', { code: newId(), name: 'Rail', sourceMapping: {}, projectId })).status).toBe(201);

const kindsAndProjects = ({ received }: { readonly received: readonly { readonly body: string }[] }) =>
  received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string; projectId?: string } };
    return [type, data.projectId ?? data.id];
  });

it('an endpoint for some projects gets the events of these and of their records, and none of others or of no project', async () => {
  const hook = await openHook(app, { subscribedEvents: subscribableKinds() });
  const { api } = hook;
  const [mine, other] = [await aProject(api), await aProject(api)];
  await untilReceived(hook.receiver, 2);
  // In capitals, and twice: ids are compared as ids.
  await hook.change({ projectIds: [mine.id.toUpperCase(), mine.id] });
  expect((await hook.current()).projectIds).toEqual([mine.id]);
  await renameProject(api, other.id, 'Elsewhere');
  for (const projectId of [null, other.id, mine.id]) await aCategory(api, projectId);
  await renameProject(api, mine.id, 'Here');
  await untilReceived(hook.receiver, 4);
  expect(kindsAndProjects(hook.receiver).slice(2).sort()).toEqual([
    ['claim_project.updated', mine.id],
    ['expense_category.created', mine.id],
  ]);
});

it('a replay sends what such an endpoint would have been sent, and nothing else', async () => {
  const hook = await openHook(app, { status: 'disabled', subscribedEvents: subscribableKinds() });
  const [mine, other] = [await aProject(hook.api), await aProject(hook.api)];
  for (const projectId of [mine.id, null, other.id]) await aCategory(hook.api, projectId);
  await hook.change({ projectIds: [mine.id] });
  const missed = await hook.api.get(`${WEBHOOKS}/${hook.webhook.id}/missed`);
  expect(missed.body).toMatchObject({ deliveries: 2 });
  await hook.change({ status: 'active' });
  expect(await replay(app, hook, new Date(0).toISOString())).toBe(2);
  await untilReceived(hook.receiver, 2);
  expect(kindsAndProjects(hook.receiver)).toEqual([
    ['claim_project.created', mine.id],
    ['expense_category.created', mine.id],
  ]);
});

it('projects of another organization or environment are refused at their field, also when the endpoint moves', async () => {
  const [hook, stranger] = [await openHook(app), await openHook(app)];
  const [mine, theirs] = [await aProject(hook.api), await aProject(stranger.api)];
  for (const id of [theirs.id, newId()]) {
    const refused = await hook.api.post(WEBHOOKS, webhookInput({ projectIds: [mine.id, id] }));
    expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ field: 'projectIds', code: 'related_record_missing' }] }]);
    const changed = await hook.api.patch(`${WEBHOOKS}/${hook.webhook.id}`, { projectIds: [id] });
    expect(changed.status).toBe(400);
  }
  expect((await hook.current()).projectIds).toBeNull();
});
