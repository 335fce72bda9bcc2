import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { textsOfPdf } from '../../../src/modules/reports/outputs/fixtures/pdf-text.js';
import { sheetsOf } from '../../../src/modules/reports/outputs/fixtures/workbook.js';
import { openReports, REPORTS, rule } from '../../support/reports.js';
import { PATIENCE_MS, startWorking } from '../../support/statements.js';
import { callTool, connectTools } from '../../support/tools.js';
import { aVisitorOf } from '../../support/console.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const FIRST_QUARTER = { name: 'Q1', periodStart: '2026-01-01', periodEnd: '2026-03-31' };
const OTHERS = 'statements_of_other_projects';

/** An organization with a statement without a project, and the category of it. */
async function withoutProject() {
  const reports = await openReports(app);
  await reports.taken();
  await reports.category('TRAVEL', [rule('Ticket')]);
  const warningsOf = async (body: object) => {
    const { result } = await reports.run(body);
    return { codes: result!.warnings.map(({ code }) => code), warnings: result!.warnings, claimable: result!.totals.claimable };
  };
  return { ...reports, warningsOf };
}

it('a project without statements claims nothing, and its run says how many others there are and what to do', async () => {
  const { project, taken, warningsOf } = await withoutProject();
  const [{ id: projectId }, other] = [await project(FIRST_QUARTER), await project({ name: 'Hamburg office' })];
  for (const fileName of ['a.csv', 'b.csv']) await taken({ projectId: other.id, fileName });
  const { codes, warnings, claimable } = await warningsOf({ projectId });
  expect([claimable, codes.slice(0, 2)]).toEqual(['0.00', ['no_statements', OTHERS]]);
  expect(warnings[1]!.message).toBe(
    'The organization has statements in the period that this project does not: 1 without a project, 2 of other projects. ' +
      'Have their files imported for this project, or make a report without a project.',
  );
});

it('what the warning advises ends it: an import for the project, or a run without one', async () => {
  const { project, configuration, taken, warningsOf } = await withoutProject();
  const { id: projectId } = await project(FIRST_QUARTER);
  const { id: reportConfigurationId } = await configuration(FIRST_QUARTER);
  const whole = await warningsOf({ reportConfigurationId });
  expect([whole.claimable, whole.codes.includes(OTHERS)]).toEqual(['70.00', false]);
  await taken({ projectId });
  const own = await warningsOf({ projectId });
  expect([own.claimable, own.codes.includes(OTHERS)]).toEqual(['70.00', false]);
});

it('statements outside of the period are not counted', async () => {
  const { project, warningsOf } = await withoutProject();
  const { id: projectId } = await project({ periodStart: '2027-01-01', periodEnd: '2027-12-31' });
  expect((await warningsOf({ projectId })).codes).not.toContain(OTHERS);
});

it('statements of another environment are not counted', async () => {
  const { organizationId, project, run, take } = await openReports(app);
  await take({ environment: 'live' });
  await eventually(async () => {
    const sql = 'SELECT redaction_status AS status FROM bank_statements WHERE organization_id = $1';
    expect(await rowsOf(app.databaseUrl, sql, [organizationId])).toEqual([{ status: 'succeeded' }]);
  }, PATIENCE_MS);
  const { result } = await run({ projectId: (await project(FIRST_QUARTER)).id });
  expect(result!.warnings.map(({ code }) => code)).toEqual(['no_statements', 'no_categories']);
});

const NOT_A_CLAIM = 'The claim of zero says that statements are missing, not that there is nothing to claim.';

it('says which days the statements of the project are of, if they are of others', async () => {
  const { project, taken, warningsOf } = await withoutProject();
  const { id: projectId } = await project({ periodStart: '2027-01-01', periodEnd: '2027-12-31' });
  await taken({ projectId });
  const { codes, warnings } = await warningsOf({ projectId });
  expect(codes.slice(0, 2)).toEqual(['no_statements', 'statements_outside_period']);
  expect(warnings[1]!.message).toBe(
    '1 statement has no day in the period: it is of 2026-01-05 to 2026-01-31. ' +
      'Make the report for their period, or add the statements of this one.',
  );
});

it('says how many of the project could not be read, and how many are not read yet', async () => {
  const { project, take, taken, warningsOf } = await withoutProject();
  const { id: projectId } = await project(FIRST_QUARTER);
  await taken({ projectId, file: 'nothing,that,is\na,bank,statement\n', fileName: 'bad.csv' });
  const waiting = await take({ projectId, fileName: 'later.csv' });
  const hold = `UPDATE bank_statements SET redaction_status = 'running', lease = NULL, taken_at = now() + interval '1 hour' WHERE id = $1`;
  await eventually(async () => {
    await rowsOf(app.databaseUrl, hold, [waiting.id]);
    expect((await warningsOf({ projectId })).warnings.map(({ message }) => message)).toContain(
      '1 statement could not be read: their pages say why. 1 statement is not read yet: make the report again when they are.',
    );
  }, PATIENCE_MS);
});

it('says how to add statements if there are none at all, for a project and for the organization', async () => {
  const { project, run } = await openReports(app);
  for (const body of [{ projectId: (await project(FIRST_QUARTER)).id }, {}]) {
    const { result } = await run(body);
    expect(result!.warnings[0]).toEqual({
      code: 'no_statements',
      message:
        `No bank statement was read. ${NOT_A_CLAIM} ` +
        'There are no statements yet: upload files in the console, or ask the client for them with an upload link.',
    });
  }
});

it('a model reads that the claim is none before it reads 0.00, from the run and from the list', async () => {
  const { project, key, run } = await withoutProject();
  const { id: projectId } = await project(FIRST_QUARTER);
  const { id } = await run({ projectId });
  const tools = await connectTools(app, { 'X-API-Key': key });
  const got = await callTool(tools, 'get_claim_report', { report_id: id });
  expect(got.text).toMatch(
    /^WARNING: This run read no line of a bank statement: a claim of zero is no result\. Its `warnings` say what to do\.\n/,
  );
  const { warnings } = got.content.result as { warnings: { code: string; message: string }[] };
  expect(warnings[0]!.code).toBe('no_statements');
  expect(warnings.map(({ message }) => message).join(' ')).toMatch(/1 without a project, 0 of other projects/);
  expect((await callTool(tools, 'list_claim_reports', { project_id: projectId })).text).toMatch(
    /^WARNING: 1 of these runs read no line of a bank statement: a claim of zero is no result\.\n/,
  );
  await tools.close();
});

it('a model reads no warning where there is a claim', async () => {
  const { key, run } = await withoutProject();
  const { id } = await run();
  const tools = await connectTools(app, { 'X-API-Key': key });
  for (const [name, inputs] of [['get_claim_report', { report_id: id }] as const, ['list_claim_reports', {}] as const])
    expect((await callTool(tools, name, inputs)).text).not.toContain('WARNING');
  await tools.close();
});

it('REST and the event have the warnings before the totals', async () => {
  const { project, api, run } = await withoutProject();
  const { id } = await run({ projectId: (await project(FIRST_QUARTER)).id });
  const sql = `SELECT data::text AS text FROM events WHERE resource_id = $1 AND kind = 'claim_report.succeeded'`;
  const [event] = await rowsOf<{ text: string }>(app.databaseUrl, sql, [id]);
  for (const text of [(await api.get(`${REPORTS}/${id}`)).text, event!.text]) {
    const [warnings, totals] = [text.indexOf('"warnings":[{"code":"no_statements"'), text.indexOf('"totals"')];
    expect([warnings > 0, warnings < totals], text).toEqual([true, true]);
  }
});

it('the console says it above the figures of the run, and instead of the amount in its lists', async () => {
  const { organizationId, project, run } = await withoutProject();
  const { id } = await run({ projectId: (await project({ ...FIRST_QUARTER, name: 'Without statements' })).id });
  const { browser } = await aVisitorOf(app, { id: organizationId });
  const { text } = await browser.visit(`/console/test/reports/${id}`);
  const [warning, figure] = [text.indexOf(NOT_A_CLAIM), text.indexOf('class="band"')];
  expect([warning > 0, warning < figure]).toEqual([true, true]);
  expect(text.split(NOT_A_CLAIM)).toHaveLength(2);
  expect(text).toContain('href="/console/test/statements/new"');
  for (const path of ['/console/test/reports', '/console/test']) {
    const list = (await browser.visit(path)).text;
    expect(list).toContain('Nothing read');
    expect(list).not.toContain('0.00');
  }
});

it('each file says it first, and names no other project: it may go to the client of one', async () => {
  const { key, project, configuration, run, taken } = await withoutProject();
  const [{ id: projectId }, other] = [await project(FIRST_QUARTER), await project({ name: 'Of another client' })];
  await taken({ projectId: other.id });
  const { id: reportConfigurationId } = await configuration({
    ...FIRST_QUARTER,
    projectId,
    outputOptions: { formats: ['json', 'xlsx', 'pdf'], locale: 'en-GB' },
  });
  const { id } = await run({ reportConfigurationId });
  const file = async (format: string) =>
    Buffer.from(await (await fetch(`${app.url}${REPORTS}/${id}/outputs/${format}`, { headers: { 'X-API-Key': key } })).arrayBuffer());
  const pages = textsOfPdf(await file('pdf')).map((page) => page.map(({ text }) => text).join(' '));
  expect(pages[0]).toContain('No bank statement was read.');
  expect(pages.join(' ')).toContain('1 of other projects');
  const sheets = sheetsOf(await file('xlsx'));
  const [sheet] = [...sheets.values()];
  expect([sheet!.A2!.value, sheet!.A3!.value]).toEqual([
    expect.stringContaining('No bank statement was read.'),
    expect.stringContaining('1 without a project'),
  ]);
  const json = (await file('json')).toString();
  expect(json.indexOf('"no_statements"')).toBeGreaterThan(0);
  expect(json.indexOf('"no_statements"')).toBeLessThan(json.indexOf('"totals"'));
  for (const text of [pages.join(' '), JSON.stringify([...sheets]), json]) expect(text).not.toContain('another client');
});
