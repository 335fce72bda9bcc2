import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { aKey } from '../../support/builders.js';
import { rowsOf } from '../../support/database.js';
import { newId } from '../../../src/kernel/ids.js';
import { declaredEvents } from '../../../src/kernel/declare-event.js';
import { aProject, openHook, startDelivering, untilReceived } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

it('an endpoint is tested by the API: the answer says what came back, and nothing is in the delivery log', async () => {
  const hook = await openHook(app);
  const path = `/v1/webhooks/${hook.webhook.id}/ping`;
  const { status, body } = await hook.api.post(path, {});
  expect([status, body]).toEqual([
    200,
    {
      eventKind: 'webhook.test',
      responseStatus: 200,
      errorCode: null,
      durationMs: expect.any(Number) as number,
      response: { body: 'ok', truncated: false },
    },
  ]);
  expect(JSON.parse(hook.receiver.received[0]!.body)).toMatchObject({ type: 'webhook.test', data: { webhookId: hook.webhook.id } });
  hook.receiver.answer = (_received, response) => void response.writeHead(503).end('busy');
  expect((await hook.api.post(path, {})).body).toMatchObject({ responseStatus: 503, errorCode: 'http_error', response: { body: 'busy' } });
  expect(await hook.log()).toEqual([]);
  expect(await hook.current()).toMatchObject({ status: 'active' });
});

it('the example of every kind that is sent verifies like an event, with the headers of the endpoint, which no answer shows', async () => {
  const hook = await openHook(app, { headers: { 'X-Token': 'a-secret-value' } });
  const path = `/v1/webhooks/${hook.webhook.id}/ping`;
  const kinds = declaredEvents().filter(({ status }) => status === 'emitted');
  for (const { kind } of kinds)
    expect((await hook.api.post(path, { eventKind: kind })).body, kind).toMatchObject({ eventKind: kind, errorCode: null });
  expect(hook.receiver.received).toHaveLength(kinds.length);
  for (const { headers, body } of hook.receiver.received) {
    expect(headers).toMatchObject({ 'x-service-example': 'true', 'x-token': 'a-secret-value' });
    expect(new Webhook(hook.webhook.secret!).verify(body, headers as Record<string, string>)).toMatchObject({
      organizationId: hook.organizationId,
    });
  }
  hook.receiver.answer = ({ headers }, response) => void response.end(JSON.stringify(headers));
  const { body } = await hook.api.post(path, { eventKind: kinds[0]!.kind });
  expect(JSON.stringify(body)).toContain('x-token');
  expect(JSON.stringify(body)).not.toContain('a-secret-value');
});

it('an unknown kind is refused at its field, and an endpoint of another organization is not there', async () => {
  const [hook, other] = [await openHook(app), await openHook(app)];
  const unknown = await hook.api.post(`/v1/webhooks/${hook.webhook.id}/ping`, { eventKind: '__proto__' });
  expect([unknown.status, unknown.body]).toMatchObject([400, { errors: [{ field: 'eventKind', code: 'not_allowed' }] }]);
  expect((await other.api.post(`/v1/webhooks/${hook.webhook.id}/ping`, {})).status).toBe(404);
  const { key } = await aKey(app, hook.organizationId, { scopes: ['webhooks:read', 'webhooks:write'] });
  expect((await new Client(app.url, key).post(`/v1/webhooks/${hook.webhook.id}/ping`, {})).body).toMatchObject({ code: 'scope_missing' });
  expect(hook.receiver.received).toEqual([]);
});

it('what is remembered of a key of all projects is no answer for one that is bound to some', async () => {
  const hook = await openHook(app);
  const path = `/v1/webhooks/${hook.webhook.id}/ping`;
  const once = { 'Idempotency-Key': newId() };
  expect((await hook.api.post(path, {}, once)).status).toBe(200);
  const bound = await aKey(app, hook.organizationId, { projectIds: [(await aProject(hook.api)).id] });
  const answer = await new Client(app.url, bound.key).post(path, {}, once);
  expect([answer.status, answer.body], answer.text).toMatchObject([409, { code: 'idempotency_conflict' }]);
});

it('a repeated call sends nothing again and has the same answer; after a refusal the key is free', async () => {
  const hook = await openHook(app);
  const path = `/v1/webhooks/${hook.webhook.id}/ping`;
  const once = { 'Idempotency-Key': newId() };
  const first = await hook.api.post(path, {}, once);
  const again = await hook.api.post(path, {}, once);
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
  expect(await hook.api.post(path, { eventKind: 'claim_project.created' }, once)).toMatchObject({ status: 409 });
  expect(hook.receiver.received).toHaveLength(1);
  const missing = { 'Idempotency-Key': newId() };
  expect((await hook.api.post(`/v1/webhooks/${newId()}/ping`, {}, missing)).status).toBe(404);
  expect((await hook.api.post(path, {}, missing)).status).toBe(200);
});

it('a call with the key of one that is still waiting for the endpoint sends nothing, and is told so', async () => {
  const hook = await openHook(app);
  const path = `/v1/webhooks/${hook.webhook.id}/ping`;
  const once = { 'Idempotency-Key': newId() };
  let answer = (): void => undefined;
  hook.receiver.answer = (_received, response) => void (answer = () => response.end('late'));
  const first = hook.api.post(path, {}, once);
  await untilReceived(hook.receiver, 1);
  const second = await hook.api.post(path, {}, once);
  expect([second.status, second.body]).toMatchObject([
    409,
    { code: 'idempotency_conflict', detail: expect.stringContaining('still running') as string },
  ]);
  answer();
  expect((await first).body).toMatchObject({ response: { body: 'late' } });
  expect(hook.receiver.received).toHaveLength(1);
});

it('one whose answer could not be written is not sent again: its key stays taken', async () => {
  const hook = await openHook(app);
  const [path, once] = [`/v1/webhooks/${hook.webhook.id}/ping`, { 'Idempotency-Key': newId() }];
  const fails = `fails_${newId().replaceAll('-', '')}`;
  const fail = () =>
    rowsOf(
      app.databaseUrl,
      `CREATE FUNCTION ${fails}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'nothing is written'; END $$;
        CREATE TRIGGER ${fails} BEFORE UPDATE ON idempotency_keys FOR EACH ROW
          WHEN (NEW.organization_id = '${hook.organizationId}') EXECUTE FUNCTION ${fails}()`,
    );
  hook.receiver.answer = (_received, response) => void fail().then(() => response.end('ok'));
  const first = await hook.api.post(path, {}, once);
  await rowsOf(app.databaseUrl, `DROP FUNCTION ${fails} CASCADE`);
  const again = await hook.api.post(path, {}, once);
  expect([first.status, again.status, again.body]).toMatchObject([500, 409, { code: 'idempotency_conflict', retry: 'same_key' }]);
  expect(hook.receiver.received).toHaveLength(1);
});
