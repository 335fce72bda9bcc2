import { expect } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { ReportOperatorService } from '../../src/modules/reports/index.js';
import { BudgetNotice } from '../../src/modules/usage/budget-notice.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { aKey } from './builders.js';
import { Client } from './client.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { sendCall, validCall } from './law-call.js';
import type { DocumentedApp } from './documented-app.js';
import { importStatement } from './statements.js';
import { Receiver } from './receiver.js';
import { anInvitation } from './users.js';
import { aProject, aWebhook } from './webhooks.js';

type Change = (key: string, organizationId: string) => Promise<unknown>;

/** Changes that together emit every kind of event: API calls, changes by operators and results of jobs. */
export function changesOfEveryKind(world: DocumentedApp): Change[] {
  const calls = world.operations
    .filter(({ emits }) => emits.length > 0)
    .map((operation): Change => async (key) => {
      const answer = await sendCall(world, await validCall(world, operation, key), key);
      expect(answer.status, operation.id).toBe(operation.status);
    });
  const run = (key: string) => new Client(world.url, key).post('/v1/claim-reports', {});
  return [
    ...calls,
    (_key, organizationId) => world.app.get(OrganizationService).change(OPERATOR, organizationId, { name: 'Renamed' }),
    (_key, organizationId) => anInvitation(world, organizationId),
    (_key, organizationId) =>
      untilWritten(world, organizationId, 'bank_statement.redaction_succeeded', () => importStatement(world, organizationId)),
    (_key, organizationId) =>
      untilWritten(world, organizationId, 'bank_statement.redaction_failed', () => importStatement(world, organizationId, { file: '' })),
    (key, organizationId) => untilWritten(world, organizationId, 'claim_report.succeeded', () => run(key)),
    (key, organizationId) =>
      untilWritten(world, organizationId, 'claim_report.failed', async () => {
        await new Client(world.url, key).post('/v1/expense-categories', { code: 'BAD', name: 'Bad' });
        // A request is checked. A run fails for what was stored before.
        await rowsOf(world.databaseUrl, `UPDATE expense_categories SET source_mapping = '{"rules":"none"}' WHERE organization_id = $1`, [
          organizationId,
        ]);
        await run(key);
      }),
    (key, organizationId) =>
      untilWritten(world, organizationId, 'claim_report.cancelled', async () => {
        await untilWritten(world, organizationId, 'claim_report.succeeded', () => run(key));
        // A run that no worker takes up again.
        const [held] = await rowsOf<{ id: string }>(
          world.databaseUrl,
          `UPDATE claim_reports SET status = 'running', result = NULL, taken_at = now() + interval '1 hour'
           WHERE organization_id = $1 RETURNING id`,
          [organizationId],
        );
        await world.app.get(ReportOperatorService).cancel(OPERATOR, held!.id);
      }),
    (key, organizationId) => failAndReturn(world, key, organizationId),
    (key, organizationId) => closeAndReopen(world, key, organizationId),
    (_key, organizationId) => untilWritten(world, organizationId, 'usage.budget_used', () => useBudget(world, organizationId)),
  ];
}

/** An endpoint that has refused an event four times accepts the next one, and is gone with the third. */
async function failAndReturn(world: DocumentedApp, key: string, organizationId: string): Promise<void> {
  const api = new Client(world.url, key);
  const receiver = await Receiver.start();
  const { id } = await aWebhook(api, { targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] });
  for (const [status, failures, kind] of [
    [500, 3, 'webhook.failing'],
    [200, 4, 'webhook.recovered'],
    [410, 0, 'webhook.disabled'],
  ] as const) {
    receiver.answer = (_received, response) => void response.writeHead(status).end();
    // As if so many attempts had failed before.
    await rowsOf(
      world.databaseUrl,
      `UPDATE webhook_endpoints SET failures = $2, failing_since = CASE WHEN $2 > 0 THEN now() END, updated_at = now() WHERE id = $1`,
      [id, failures],
    );
    await untilWritten(world, organizationId, kind, () => aProject(api));
  }
  await receiver.close();
}

/** A key that can make one call a day makes it, and what it has called is counted within a second. */
async function useBudget(world: DocumentedApp, organizationId: string): Promise<void> {
  const { id, key } = await aKey(world, organizationId, { dailyCalls: 1 });
  await new Client(world.url, key).get('/v1');
  await eventually(async () =>
    expect(await rowsOf(world.databaseUrl, 'SELECT 1 FROM usage_credentials WHERE credential_id = $1', [id])).toHaveLength(1),
  );
  await world.app.get(BudgetNotice).notify();
}

/** Two claims of one project: the second one corrects the first, and is opened again. */
async function closeAndReopen(world: DocumentedApp, key: string, organizationId: string): Promise<void> {
  const one = new Client(world.url, key);
  const other = new Client(world.url, (await aKey(world, organizationId)).key);
  const made = async (api: Client, path: string, body: object): Promise<string> => {
    const answer = await api.post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return (answer.body as { id: string }).id;
  };
  const period = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };
  const projectId = await made(one, '/v1/claim-projects', { name: newId(), ...period });
  await untilWritten(world, organizationId, 'bank_statement.redaction_succeeded', () =>
    importStatement(world, organizationId, { projectId }),
  );
  const outputOptions = { formats: ['evidence'] };
  const reportConfigurationId = await made(one, '/v1/report-configurations', { name: newId(), projectId, ...period, outputOptions });
  const closed = async (more: object = {}) => {
    const reportId = await made(one, '/v1/claim-reports', { projectId, reportConfigurationId });
    await eventually(async () => expect((await one.get(`/v1/claim-reports/${reportId}`)).body.status).toBe('succeeded'));
    for (const [by, state] of [
      [one, 'reviewed'],
      [other, 'approved'],
    ] as const)
      await made(by, '/v1/claim-closings', { reportId, state });
    return { reportId, final: await made(one, '/v1/claim-closings', { reportId, state: 'final', ...more }) };
  };
  const { final: corrects } = await closed();
  const { reportId } = await closed({ corrects, reason: 'A statement was missing' });
  for (const by of [one, other]) await made(by, '/v1/claim-closings', { reportId, state: 'reopened', reason: 'A wrong rate' });
}

/** The kinds of an organization's events in the test environment, one for each event. */
export async function kindsWritten({ databaseUrl }: DocumentedApp, organizationId: string): Promise<string[]> {
  const rows = await rowsOf<{ kind: string }>(databaseUrl, "SELECT kind FROM events WHERE organization_id = $1 AND environment = 'test'", [
    organizationId,
  ]);
  return rows.map(({ kind }) => kind).sort();
}

async function untilWritten(world: DocumentedApp, organizationId: string, kind: string, begin: () => Promise<unknown>): Promise<void> {
  await begin();
  await eventually(async () => expect(await kindsWritten(world, organizationId)).toContain(kind));
}
