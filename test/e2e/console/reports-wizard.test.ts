import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { importStatement, OWN_IBAN, PATIENCE_MS, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const REPORTS = '/console/test/reports';
const QUARTER = { periodStart: '2026-01-01', periodEnd: '2026-03-31' };
const OTHER_IBAN = 'DE02120300000000202051';

const linesOf = (month: string, account: string, text = 'Coffee') =>
  // Of the first and the 28th day.
  ['Date,Description,Amount,Currency,Account', ...['01', '28'].map((day) => `2026-${month}-${day},${text},-${day}.00,EUR,${account}`)].join(
    '\n',
  );

async function anAccountant() {
  const visitor = await aVisitor(app);
  const { id: organizationId } = visitor.organization;
  const api = new Client(app.url, (await aKey(app, organizationId)).key);
  const made = async (path: string, body: object) => ((await api.post(path, body)).body as { id: string }).id;
  const imported = async (wanted: Parameters<typeof importStatement>[2]) => {
    const { id } = await importStatement(app, organizationId, wanted);
    const sql = 'SELECT redaction_status AS status FROM bank_statements WHERE id = $1';
    const status = () => rowsOf<{ status: string }>(app.databaseUrl, sql, [id]);
    await eventually(async () => expect(['succeeded', 'failed']).toContain((await status())[0]!.status), PATIENCE_MS);
    return id;
  };
  const project = await made('/v1/claim-projects', { name: 'Quarter', status: 'active', ...QUARTER });
  return { ...visitor, made, imported, project };
}

const ahead = ({ browser }: Pick<Visitor, 'browser'>, query: Record<string, string>) =>
  browser.visit(`${REPORTS}/new?${new URLSearchParams(query).toString()}`);

/** What the page says, without its markup. */
const wordsOf = ({ text }: { text: string }): string => textOf(text.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

const runsOf = ({ organization }: Pick<Visitor, 'organization'>) =>
  rowsOf<{ project_id: string | null }>(app.databaseUrl, 'SELECT project_id FROM claim_reports WHERE organization_id = $1', [
    organization.id,
  ]);

describe('a new report', () => {
  it('shows the statements of its project and period and the months without evidence before it is queued', async () => {
    const accountant = await anAccountant();
    const { browser, imported, project } = accountant;
    const january = await imported({ file: linesOf('01', OWN_IBAN), fileName: 'first.csv', projectId: project });
    const march = await imported({ file: linesOf('03', OTHER_IBAN), fileName: 'third.csv', projectId: project });
    const foreign = await imported({ file: linesOf('02', OWN_IBAN), fileName: 'of-nobody.csv' });
    const first = await browser.visit(`${REPORTS}/new`);
    expect(first.text).toContain('Next: see what it reads');
    const shown = await ahead(accountant, { projectId: project, reportConfigurationId: '' });
    const words = wordsOf(shown);
    for (const part of ['2 statements found', 'Q1 2026', 'Months without evidence: Feb 2026.', 'Months with some days only: '])
      expect(words).toContain(part);
    for (const id of [january, march]) expect(shown.text).toContain(`/console/test/statements/${id}"`);
    expect(shown.text).not.toContain(foreign);
    expect(await runsOf(accountant)).toEqual([]);
    const queued = await browser.send(shown);
    expect(queued.text).toContain('You started this report.');
    expect((await browser.send(shown)).url.pathname).toBe(queued.url.pathname);
    expect(await runsOf(accountant)).toEqual([{ project_id: project }]);
  });

  it('has the period of its configuration, and the project too', async () => {
    const accountant = await anAccountant();
    const { imported, made, project } = accountant;
    await imported({ file: linesOf('01', OWN_IBAN), projectId: project });
    const february = { name: 'Of February', projectId: project, periodStart: '2026-02-01', periodEnd: '2026-02-28' };
    const shown = wordsOf(await ahead(accountant, { reportConfigurationId: await made('/v1/report-configurations', february) }));
    for (const part of ['Of February', 'Quarter', 'February 2026', '0 statements found', 'Months without evidence: Feb 2026.'])
      expect(shown).toContain(part);
    const whole = wordsOf(await ahead(accountant, { projectId: '' }));
    for (const part of ['Whole organization', 'That of the statements', '1 statement found']) expect(whole).toContain(part);
  });

  it('names statements that are not redacted, and where others are if the project has none', async () => {
    const accountant = await anAccountant();
    const { imported, project, browser } = accountant;
    await imported({ file: linesOf('01', OWN_IBAN), fileName: 'of-nobody.csv' });
    const broken = await imported({ file: 'no statement at all', fileName: 'broken.csv', projectId: project });
    const shown = await ahead(accountant, { projectId: project });
    expect(wordsOf(shown)).toContain('Not read, since they are not redacted: broken.csv');
    expect(shown.text).toContain(`/console/test/statements/${broken}`);
    expect(wordsOf(shown)).toContain('1 without a project, 0 of other projects');
    const other = await accountant.made('/v1/claim-projects', { name: 'Of another client', ...QUARTER });
    await imported({ file: linesOf('01', OWN_IBAN), fileName: 'of-another.csv', projectId: other });
    expect(wordsOf(await ahead(accountant, { projectId: project }))).toContain('Other projects: “Of another client”.');
    expect((await browser.send(shown)).text).toContain('You started this report.');
  });

  it('says at its field what is wrong before anything is queued, and keeps what was chosen', async () => {
    const accountant = await anAccountant();
    const { made, project } = accountant;
    const other = await made('/v1/claim-projects', { name: 'Other', status: 'active', ...QUARTER });
    const ofOther = await made('/v1/report-configurations', { name: 'Of the other', projectId: other, ...QUARTER });
    const shown = await ahead(accountant, { projectId: project, reportConfigurationId: ofOther });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('id="projectId-error"')]);
    expect(shown.text).toContain(`<option value="${ofOther}" selected`);
    expect((await ahead(accountant, { projectId: '<script>' })).text).toContain('id="projectId-error"');
  });

  it('shows hostile names as text, and nothing of another organization or environment', async () => {
    const [accountant, stranger] = [await anAccountant(), await anAccountant()];
    const name = '<script>alert(1)</script>';
    const project = await accountant.made('/v1/claim-projects', { name, status: 'active', ...QUARTER });
    await accountant.imported({ file: linesOf('01', OWN_IBAN), fileName: `${name}.csv`, projectId: project });
    const member = await aVisitorOf(app, accountant.organization, { role: 'member' });
    const shown = await ahead(member, { projectId: project });
    expect([shown.status, shown.text.includes('<script>alert'), wordsOf(shown).includes('1 statement found')]).toEqual([200, false, true]);
    expect((await ahead(stranger, { projectId: project })).status).toBe(404);
    expect((await member.browser.visit(`/console/live/reports/new?projectId=${project}`)).status).toBe(404);
  });
});

describe('the evidence calendar of a run', () => {
  it('shows each month by a mark and a number, and by account where lines are missing', async () => {
    const accountant = await anAccountant();
    const { browser, imported, project } = accountant;
    for (const month of ['01', '02']) await imported({ file: linesOf(month, OWN_IBAN), fileName: `${month}.csv`, projectId: project });
    await imported({ file: linesOf('01', OTHER_IBAN, 'Tea'), fileName: 'other.csv', projectId: project });
    const { url } = await browser.send(await ahead(accountant, { projectId: project }));
    const result = await eventually(async () => {
      const shown = await browser.visit(url.pathname);
      expect(shown.text).toContain('id="run" data-news="0"');
      return shown;
    }, PATIENCE_MS);
    expect(wordsOf(result)).toMatch(/Months with statements .* All ◐ 2 statements, in part ◐ 1 statement, in part ✗ none ·/);
    expect(result.text).toContain(`href="${url.pathname}/evidence"`);
    const calendar = wordsOf(await browser.visit(`${url.pathname}/evidence`));
    expect(calendar).toMatch(/6199 ◐ 2 lines, in part ✓ 2 lines, covered ✗ none/);
    expect(calendar).toMatch(/2051 ◐ 2 lines, in part ✗ none ✗ none/);
    const stranger = await aVisitor(app);
    expect((await stranger.browser.visit(`${url.pathname}/evidence`)).status).toBe(404);
    expect((await browser.visit(`${url.pathname.replace('/test/', '/live/')}/evidence`)).status).toBe(404);
  });

  it('of a run without statements says so', async () => {
    const accountant = await aVisitor(app);
    const { url } = await accountant.browser.send(await ahead(accountant, { projectId: '' }));
    await eventually(async () => {
      expect((await accountant.browser.visit(url.pathname)).text).toContain('The run has no period, since it read no statement.');
    }, PATIENCE_MS);
    expect((await accountant.browser.visit(`${url.pathname}/evidence`)).text).toContain('No statement has days in the period.');
  });
});
