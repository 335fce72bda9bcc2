import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_REPORT_LIMITS } from '../../../src/kernel/report-limits.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { openReports, rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

const LIMITS = { rulesWithPatterns: 2, rulesBytes: 2000, statements: 2, lines: 9, resultBytes: 4000, fileBytes: 6000 };

let app: TestApp;
beforeAll(async () => {
  app = await startWorking({ REPORT_LIMITS: JSON.stringify(LIMITS) });
});
afterAll(() => app.close());

type Reports = Awaited<ReturnType<typeof openReports>>;

const pattern = (value: string) => ({ any: [{ field: 'description', op: 'matches', value }] });
const statementOf = (lines: number) =>
  `Date,Description,Amount,Currency\n${Array.from({ length: lines }, (_line, index) => `2026-01-05,Ticket ${index},-1.00,EUR\n`).join('')}`;

async function failureOf(reports: Reports, outputOptions: object = {}, categoryFilter: object = {}) {
  const { id } = await reports.configuration({ outputOptions, categoryFilter });
  const { status, failure } = await reports.run({ reportConfigurationId: id });
  expect(status).toBe('failed');
  return failure;
}

describe('a run that needs more than a run may use', () => {
  it('fails with too_many_patterns', async () => {
    const reports = await openReports(app);
    await reports.category('TRAVEL', [pattern('a.c'), pattern('d.f')]);
    expect(await reports.run()).toMatchObject({ status: 'succeeded' });
    await reports.category('MEALS', [pattern('g.i')]);
    expect(await failureOf(reports)).toEqual({
      code: 'too_many_patterns',
      message: 'Rules with patterns (matches): 3, at most 2. Use fewer categories, or contains.',
    });
  });

  it('fails with rules_too_large, and the rules of categories that take no part do not count', async () => {
    const reports = await openReports(app);
    await reports.category('TRAVEL', [rule('x'.repeat(900))]);
    await reports.category('MEALS', [rule('y'.repeat(900)), rule('z'.repeat(900))]);
    expect(await failureOf(reports)).toEqual({
      code: 'rules_too_large',
      message: expect.stringMatching(/^Bytes of rules: 2\d\d\d, at most 2000\. Select fewer categories\.$/),
    });
    const { id } = await reports.configuration({ categoryFilter: { exclude: ['meals'] } });
    expect(await reports.run({ reportConfigurationId: id })).toMatchObject({
      status: 'succeeded',
      result: { categories: [{ code: 'TRAVEL' }] },
    });
  });

  it('fails with too_many_statements', async () => {
    const reports = await openReports(app);
    for (let count = 0; count < 3; count += 1) await reports.taken({ file: statementOf(1) });
    expect(await failureOf(reports)).toMatchObject({ code: 'too_many_statements', message: expect.stringContaining('3, at most 2.') });
  });

  it('fails with too_many_lines', async () => {
    const reports = await openReports(app);
    await reports.taken({ file: statementOf(9) });
    expect(await reports.run()).toMatchObject({ status: 'succeeded' });
    await reports.taken({ file: statementOf(1) });
    expect(await failureOf(reports)).toMatchObject({ code: 'too_many_lines', message: expect.stringContaining('10, at most 9.') });
  });

  it('fails with result_too_large', async () => {
    const reports = await openReports(app);
    for (let index = 0; index < 15; index += 1) await reports.category(`CATEGORY-${index}`, [], { name: 'N'.repeat(200) });
    expect(await failureOf(reports)).toMatchObject({ code: 'result_too_large', message: expect.stringContaining('at most 4000.') });
  });

  it.each(['json', 'csv', 'xlsx', 'pdf'])('fails with file_too_large for %s', async (format) => {
    const reports = await openReports(app);
    // Letters at random, since a workbook is compressed.
    const text = () =>
      randomBytes(750)
        .toString('base64')
        .replace(/[^a-z]/gi, ' ');
    const lines = Array.from({ length: 8 }, () => `2026-01-05,${text()},-1.00,EUR`);
    await reports.taken({ file: `Date,Description,Amount,Currency\n${lines.join('\n')}\n` });
    expect(await failureOf(reports, { formats: [format], detail: 'lines' })).toEqual({
      code: 'file_too_large',
      message: 'An output file is larger than 6000 bytes. Report a shorter period, or set outputOptions.detail to "none".',
    });
  });
});

it('the copy of its inputs that a run has made is removed when it succeeds and when it fails', async () => {
  const reports = await openReports(app);
  await reports.category('TRAVEL', [rule('ticket')]);
  expect(await reports.run()).toMatchObject({ status: 'succeeded' });
  await reports.category('MEALS', [pattern('a.c'), pattern('d.f'), pattern('g.i')]);
  expect(await reports.run()).toMatchObject({ status: 'failed' });
  const rows = await rowsOf(app.databaseUrl, 'SELECT id FROM claim_reports WHERE organization_id = $1 AND inputs IS NOT NULL', [
    reports.organizationId,
  ]);
  expect(rows).toEqual([]);
});

it('the limits are those that the documents state', () => {
  expect(DEFAULT_REPORT_LIMITS).toEqual({
    rulesWithPatterns: 2000,
    rulesBytes: 1024 ** 2,
    statements: 10_000,
    lines: 5_000_000,
    resultBytes: 8 * 1024 ** 2,
    fileBytes: 64 * 1024 ** 2,
  });
});
