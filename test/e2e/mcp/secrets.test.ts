import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { Registry } from '../../../src/api/operation/registry.js';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { openReports } from '../../support/reports.js';
import { PATIENCE_MS, startWorking } from '../../support/statements.js';
import { connectTools } from '../../support/tools.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
}, PATIENCE_MS);
afterAll(() => app.close());

/** Secrets by their form: keys, signing secrets, tokens, links to upload. */
const FORMS = /whsec_|pk_(?:test|live)_[\w-]{10}|Bearer \w|upload_[\w-]{10}|BEGIN [A-Z ]*PRIVATE KEY/;

it('no tool answers with a secret, whichever it is asked for', async () => {
  const { api, organizationId, key, taken, project, category, configuration, run } = await openReports(app);
  await taken();
  const { id: project_id } = await project();
  const { id: category_id } = await category('TRAVEL', []);
  const { id: configuration_id } = await configuration();
  const { id: report_id } = await run({ projectId: project_id });
  const subscription = { name: 'Sync', targetUrl: 'https://hooks.example.com/claims', subscribedEvents: ['claim_project.created'] };
  const made = await api.post('/v1/webhooks', { ...subscription, headers: { Authorization: 'CANARY-of-a-header' } });
  const webhook_id = made.body.id as string;
  const rotated = await api.patch(`/v1/webhooks/${webhook_id}`, { rotateSecret: true });
  const link = await api.post('/v1/upload-links', { projectId: project_id });
  expect([rotated.status, link.status], link.text).toEqual([200, 201]);
  const canaries = [key, (await aKey(app, organizationId)).key, 'CANARY-of-a-header'];
  for (const { body } of [made, rotated]) canaries.push(body.secret as string);
  canaries.push(...Object.values(link.body).filter((value): value is string => typeof value === 'string' && value.includes('://')));
  expect(canaries.every((canary) => typeof canary === 'string' && canary.length > 10)).toBe(true);

  const tools = await connectTools(app, { 'X-API-Key': key }, '?tools=claims');
  const { data } = (await api.get('/v1/bank-statements')).body as { data: { id: string }[] };
  const ids: Record<string, unknown> = { project_id, category_id, configuration_id, report_id, webhook_id, statement_id: data[0]!.id };
  const inputs: Record<string, Record<string, unknown>[]> = {
    update_webhook: [{ status: 'disabled' }, { rotate_secret: true }, { rotateSecret: true }, { signature: 'hmac' }, { status: 'active' }],
    create_webhook: [
      { name: 'Two', target_url: subscription.targetUrl, subscribed_events: subscription.subscribedEvents },
      { name: 'Three', target_url: subscription.targetUrl, subscribed_events: subscription.subscribedEvents, signature: 'hmac' },
    ],
    update_claim_project: [{ name: 'Hamburg' }],
    update_expense_category: [{ name: 'Rail' }],
    update_report_configuration: [{ name: 'Q2' }],
    update_bank_statement: [{ project_id: null }],
    create_claim_report: [{ project_id }],
  };
  const { tools: listed } = await tools.listTools();
  const called = new Set<string>();
  for (const { name, inputSchema, annotations } of listed.sort(
    (one, other) => Number(other.annotations?.readOnlyHint) - Number(one.annotations?.readOnlyHint),
  )) {
    const required = Object.fromEntries((inputSchema.required ?? []).map((input) => [input, ids[input]]));
    const wanted = annotations?.readOnlyHint
      ? [{}, ...('detail' in inputSchema.properties! ? [{ detail: 'full' }] : [])]
      : [{}, ...(inputs[name] ?? [])];
    for (const asked of wanted) {
      const sent = { ...required, ...asked, ...(!annotations?.readOnlyHint && { confirm: true, idempotency_key: newId() }) };
      const answer = await tools.callTool({ name, arguments: name === 'delete_webhook' ? required : sent });
      const said = JSON.stringify(answer);
      expect(FORMS.exec(said)?.[0], `${name}: ${said}`).toBeUndefined();
      expect(
        canaries.filter((canary) => said.includes(canary)),
        name,
      ).toEqual([]);
      if (!answer.isError) called.add(name);
    }
  }
  expect([...called]).toEqual(
    expect.arrayContaining(['create_webhook', 'update_webhook', 'get_webhook', 'list_audit_events', 'create_claim_report']),
  );
});

it('of the operations that answer with a secret, three have a tool, and only that for an address to give away answers with it', () => {
  const secret = app.app.get(Registry).operations.filter(({ returnsSecret, tool }) => returnsSecret && tool);
  expect(secret.map(({ id }) => id).sort()).toEqual(['claim_report_shares.create', 'webhooks.create', 'webhooks.update']);
});
