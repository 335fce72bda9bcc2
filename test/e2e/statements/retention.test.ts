import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReportInputs } from '../../../src/modules/reports/run/report-inputs.js';
import { StatementRetention } from '../../../src/modules/statements/retention/statement-retention.js';
import { StatementOperatorService } from '../../../src/modules/statements/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { openReports, rule } from '../../support/reports.js';
import { openSession } from '../../support/session.js';
import { JANUARY, startWorking, STATEMENTS } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking({ STATEMENT_RETENTION: '90d', STATEMENT_KEEP_ORIGINAL: 'true' });
});
afterAll(() => app.close());

/** Makes a statement as old as if it had been imported that many days ago. */
const age = (id: string, days: number) =>
  rowsOf(app.databaseUrl, `UPDATE bank_statements SET created_at = now() - $2 * interval '1 day' WHERE id = $1`, [id, days]);

const retain = () => app.app.get(StatementRetention).retain();

async function contentOf(id: string) {
  const [left] = await rowsOf<{ lines: number; parts: number; balances: unknown[] }>(
    app.databaseUrl,
    `SELECT (SELECT count(*)::int FROM statement_lines WHERE statement_id = $1) AS lines,
      (SELECT count(*)::int FROM statement_originals WHERE statement_id = $1) AS parts,
      (SELECT balances FROM bank_statements WHERE id = $1) AS balances`,
    [id],
  );
  return left!;
}

/** A statement in CSV with many lines, which are all in January 2026. */
const manyLines = (count: number): string =>
  ['Date,Description,Amount,Currency', ...Array.from({ length: count }, (_, index) => `2026-01-05,Ticket ${index},-1.00,EUR`)].join('\n');

describe('content of a statement that is older than STATEMENT_RETENTION', () => {
  it('is removed with lines, file and balances; the record stays readable and says when', async () => {
    const { api, taken, statement: get } = await openReports(app);
    const [old, young] = [await taken(), await taken({ file: `${JANUARY}2026-01-31,Lunch,-9.00,EUR,Cafe Example GmbH,\n` })];
    expect(old.contentRemovedAt).toBeNull();
    await age(old.id, 91);
    await age(young.id, 89);
    await retain();
    expect(await contentOf(old.id)).toEqual({ lines: 0, parts: 0, balances: [] });
    expect(await contentOf(young.id)).toMatchObject({ lines: 6, parts: 1 });
    const { status, body } = await api.get(`${STATEMENTS}/${old.id}`);
    expect(status).toBe(200);
    const { contentRemovedAt, updatedAt, createdAt: _aged, ...rest } = body;
    expect(Date.now() - Date.parse(contentRemovedAt)).toBeLessThan(60_000);
    expect(updatedAt > old.updatedAt).toBe(true);
    const { contentRemovedAt: _null, updatedAt: _before, createdAt: _created, ...unchanged } = old;
    expect(rest).toEqual(unchanged);
    expect((await get(young.id)).contentRemovedAt).toBeNull();
    const entries = (await api.get('/v1/audit/events?action_prefix=bank_statement.content')).body.data;
    expect(entries).toMatchObject([
      {
        action: 'bank_statement.content_removed',
        actor: { type: 'system', id: null, name: 'statement retention' },
        resource: { type: 'bank_statement', id: old.id },
        changes: { contentRemovedAt: { from: null, to: contentRemovedAt } },
      },
    ]);
    await retain();
    expect((await api.get('/v1/audit/events?action_prefix=bank_statement.content')).body.data).toEqual(entries);
  });

  it('is removed in small batches, and by several workers at the same time only once', async () => {
    const { api, take } = await openReports(app);
    const { id } = await take({ file: manyLines(5500), isRedacted: true });
    expect(await contentOf(id)).toMatchObject({ lines: 5500 });
    await age(id, 91);
    await Promise.all([retain(), retain(), retain()]);
    // Whoever had to leave the rest to another worker does so until the next turn.
    await retain();
    expect(await contentOf(id)).toMatchObject({ lines: 0 });
    expect((await api.get('/v1/audit/events?action_prefix=bank_statement.content')).body.data).toHaveLength(1);
  });

  it('waits for a line that is locked, without delay to other statements, and no run uses the rest', async () => {
    const { organizationId, take, statement: get, run } = await openReports(app);
    const { id } = await take({ isRedacted: true, file: manyLines(3) });
    const younger = await take({ isRedacted: true, file: manyLines(4) });
    await age(id, 92);
    await age(younger.id, 91);
    const reader = await openSession(app.databaseUrl);
    await reader.query('BEGIN');
    const line = 'SELECT 1 FROM statement_lines WHERE organization_id = $1 AND statement_id = $2 AND line_number = 2 FOR UPDATE';
    await reader.query(line, [organizationId, id]);
    await retain();
    expect(await contentOf(id)).toMatchObject({ lines: 1 });
    expect((await get(id)).contentRemovedAt).toBeNull();
    expect(await contentOf(younger.id)).toMatchObject({ lines: 0 });
    expect((await run()).failure).toMatchObject({ code: 'statement_content_removed' });
    await reader.end();
    await retain();
    expect(await contentOf(id)).toMatchObject({ lines: 0 });
    expect((await get(id)).contentRemovedAt).not.toBeNull();
  });

  it('is removed from a failed statement too, which then cannot be retried', async () => {
    const { taken } = await openReports(app);
    const { id, redactionStatus } = await taken({ file: 'no statement' });
    expect([redactionStatus, (await contentOf(id)).parts]).toEqual(['failed', 1]);
    await age(id, 91);
    await retain();
    expect(await contentOf(id)).toMatchObject({ parts: 0 });
    await expect(app.app.get(StatementOperatorService).retry(OPERATOR, id)).rejects.toThrow('its retention ended');
  });
});

describe('a run', () => {
  it('fails rather than claim less when its period needs lines that were removed, and succeeds for a later period', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    await category('TRAVEL', [rule('Ticket')]);
    const old = await taken();
    const february = JANUARY.replaceAll('2026-01', '2026-02').replace('2026-02-31', '2026-02-28');
    await taken({ file: february });
    await age(old.id, 91);
    await retain();
    const both = await configuration({ periodEnd: '2026-02-28' });
    const later = await configuration({ periodStart: '2026-02-01', periodEnd: '2026-02-28' });
    const failed = await run({ reportConfigurationId: both.id });
    expect([failed.status, failed.result]).toEqual(['failed', null]);
    expect(failed.failure).toEqual({
      code: 'statement_content_removed',
      message:
        'The lines of 1 bank statement are no longer kept, so the claim would be incomplete. ' +
        'Report a period that begins after 2026-01-31, or import the files again.',
    });
    const succeeded = await run({ reportConfigurationId: later.id });
    expect([succeeded.status, succeeded.result?.totals.count]).toEqual(['succeeded', 5]);
  });

  it('succeeds again when the same file was imported again', async () => {
    const { taken, category, run } = await openReports(app);
    await category('TRAVEL', [rule('Ticket')]);
    const old = await taken();
    const before = await run();
    await age(old.id, 91);
    await retain();
    expect((await run()).status).toBe('failed');
    await taken();
    const after = await run();
    expect(after.status).toBe('succeeded');
    expect(after.result!.totals).toEqual(before.result!.totals);
  });

  it('fails when the retention of its statements ended while it read their lines', async () => {
    const { organizationId, taken } = await openReports(app);
    const old = await taken();
    const tenant = { organizationId, environment: 'test' as const };
    const inputs = app.app.get(ReportInputs);
    const collected = await inputs.collect(tenant, { projectId: null, reportConfigurationId: null }, new AbortController().signal);
    await expect(inputs.requireStillKept(tenant, collected)).resolves.toBeUndefined();
    await age(old.id, 91);
    await retain();
    await expect(inputs.requireStillKept(tenant, collected)).rejects.toMatchObject({ code: 'statement_content_removed' });
  });
});
