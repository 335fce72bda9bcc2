import { expect } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { ReportOperatorService } from '../../src/modules/reports/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { Client } from './client.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { sendCall, validCall } from './law-call.js';
import type { DocumentedApp } from './documented-app.js';
import { importStatement } from './statements.js';
import { anInvitation } from './users.js';

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
  ];
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
