import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openReports, rule } from '../support/reports.js';
import { PATIENCE_MS, startWorking } from '../support/statements.js';

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
