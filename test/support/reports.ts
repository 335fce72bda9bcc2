import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ClaimReportDto } from '../../src/modules/reports/index.js';
import type { TestApp } from './app.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { openSession } from './session.js';
import { openStatements, PATIENCE_MS } from './statements.js';

export const REPORTS = '/v1/claim-reports';

export const rule = (value: string, claimablePercent?: number, field = 'description') => ({
  ...(claimablePercent !== undefined && { claimablePercent }),
  all: [{ field, op: 'contains', value }],
});

/** An organization with helpers for everything that a claim report is made from. */
export async function openReports(app: TestApp) {
  const statements = await openStatements(app);
  const { api } = statements;
  const made = async <T extends object>(path: string, body: object): Promise<T & { id: string }> => {
    const answer = await api.post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body as T & { id: string };
  };
  const project = (wanted: object = {}) =>
    made('/v1/claim-projects', { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-01-31', ...wanted });
  const category = (code: string, rules: readonly object[], wanted: object = {}) =>
    made('/v1/expense-categories', { code, name: `Category ${code}`, sourceMapping: { rules }, ...wanted });
  const configuration = (wanted: object = {}) =>
    made('/v1/report-configurations', { name: 'Annual report', periodStart: '2026-01-01', periodEnd: '2026-01-31', ...wanted });
  /** Replaces a document in the database, as if it had been stored before it was checked. */
  const storedBefore = (table: string, column: string, { id }: { id: string }, document: object) =>
    rowsOf(app.databaseUrl, `UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, document]);
  const queue = (body: object = {}) => made<ClaimReportDto>(REPORTS, body);
  const get = async (id: string) => {
    const answer = await api.get(`${REPORTS}/${id}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as ClaimReportDto;
  };
  const ended = async (id: string, patienceMs = PATIENCE_MS) => {
    await eventually(async () => expect(['queued', 'running']).not.toContain((await get(id)).status), patienceMs);
    return get(id);
  };
  /** Queues a run and waits until it ends. */
  const run = async (body: object = {}) => ended((await queue(body)).id);
  return { ...statements, statement: statements.get, project, category, configuration, storedBefore, queue, get, ended, run };
}

/** Gives a run a file, as a worker would that has made it. */
export async function keepFile(databaseUrl: string, reportId: string, content: string): Promise<void> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const result = JSON.stringify({ outputs: [{ format: 'json', bytes: content.length, sha256 }] });
  await rowsOf(databaseUrl, `UPDATE claim_reports SET status = 'succeeded', result = $2 WHERE id = $1`, [reportId, result]);
  await rowsOf(
    databaseUrl,
    `INSERT INTO claim_report_files (report_id, organization_id, environment, format, content)
       SELECT id, organization_id, environment, 'json', $2 FROM claim_reports WHERE id = $1
       ON CONFLICT DO NOTHING`,
    [reportId, Buffer.from(content)],
  );
}

/** Locks all lines of statements: a worker that makes a report waits. */
export async function holdLines(app: Pick<TestApp, 'databaseUrl'>): Promise<() => Promise<void>> {
  const client = await openSession(app.databaseUrl);
  await client.query('BEGIN; LOCK TABLE statement_lines IN ACCESS EXCLUSIVE MODE');
  return () => client.query('COMMIT').then(() => client.end());
}
