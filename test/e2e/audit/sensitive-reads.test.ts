import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { atTime } from '../../support/audit.js';
import { aVisitorOf, ConsoleBrowser, signInByLink } from '../../support/console.js';
import { asAdministrator } from '../../support/database.js';
import { anApplication, ask, aUser, bearer, tokensOf } from '../../support/oauth.js';
import { A_PDF, openReceipts } from '../../support/receipts.js';
import { REPORTS } from '../../support/reports.js';
import { importStatement, startWorking } from '../../support/statements.js';
import { callTool, connectTools } from '../../support/tools.js';
import { entriesOf, type Entry } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const READS = /_(read|taken|previewed|exported)$|\.read$/;

/** What the log says was read in an organization: action and record. */
async function readsOf(organizationId: string): Promise<Entry[]> {
  return (await entriesOf(app, organizationId, '%')).filter(({ action }) => READS.test(action));
}

const said = (entries: readonly Entry[]): string[] => entries.map(({ action, resource }) => `${action} ${resource.split(' ')[1]}`);

/** Nothing that is counted by the hour may begin in one and end in the next. */
const withinTheHour = <T>(work: () => Promise<T>): Promise<T> => atTime(app, new Date().toISOString(), work);
const anHourLater = <T>(work: () => Promise<T>): Promise<T> => atTime(app, new Date(Date.now() + 3_600_000).toISOString(), work);

/** An organization with a run, and a person who has a console session and a token. */
async function aReader() {
  const opened = await openReceipts(app);
  const { organizationId } = opened;
  const claimed = await opened.claimed();
  const user = await aUser(app, organizationId, 'owner');
  const browser = new ConsoleBrowser(app.url);
  await signInByLink(app, browser, { id: user.id, organizationId });
  const application = await anApplication(app, organizationId);
  const partner = { organization: { id: organizationId } as never, application, user };
  const { accessToken } = await tokensOf(app, partner, { scope: undefined });
  return { ...opened, ...claimed, user, browser, partner, accessToken };
}

type Reader = Awaited<ReturnType<typeof aReader>>;

const linesOf = ({ report }: Pick<Reader, 'report'>): string => `${REPORTS}/${report.id}/lines`;

describe('what a person reads', () => {
  it('is in the log once an hour for each person and record, by whichever door', async () => {
    const reader = await aReader();
    const { report, organizationId, browser, accessToken, user } = reader;
    const other = await aVisitorOf(app, { id: organizationId }, { role: 'member' });
    await withinTheHour(async () => {
      for (const page of ['', '?page=2', '?outcome=claimed'])
        expect((await browser.visit(`/console/test/reports/${report.id}/lines${page}`)).status).toBe(200);
      expect((await bearer(app, accessToken, `${linesOf(reader)}?page_size=1`)).status).toBe(200);
      const tools = await connectTools(app, { authorization: `Bearer ${accessToken}` }, '?tools=claims');
      expect(await callTool(tools, 'list_claim_lines', { report_id: report.id })).toMatchObject({ isError: false });
      await other.browser.visit(`/console/test/reports/${report.id}/lines`);
      const found = await readsOf(organizationId);
      expect(said(found)).toEqual([`claim_report.lines_read ${report.id}`, `claim_report.lines_read ${report.id}`]);
      expect(found.map(({ actor }) => actor.split(' ')[1])).toEqual([user.id, other.user.id]);
      expect(found[0]).toMatchObject({ environment: 'test', request_id: expect.any(String), changes: {} });
    });
    await anHourLater(() => browser.visit(`/console/test/reports/${report.id}/lines`));
    expect(await readsOf(organizationId)).toHaveLength(3);
  });

  it('by an application names the application and the person', async () => {
    const { report, organizationId, accessToken, user, partner } = await aReader();
    expect((await bearer(app, accessToken, `${REPORTS}/${report.id}/outputs/json`)).status).toBe(200);
    const [entry, ...more] = await readsOf(organizationId);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: 'claim_report.file_taken',
      resource: `claim_report ${report.id}`,
      // Of a row that the worker of another test has sealed, the name is beside the log.
      actor: expect.stringMatching(new RegExp(`^api ${partner.application.id} (?:Month-end sync for |\\(forgotten\\)$)`)),
      changes: { format: { from: null, to: 'json' }, user: { from: null, to: user.id } },
    });
  });

  it('is in the log also for a single line, a statement, each file, a preview, names and an export', async () => {
    const reader = await aReader();
    const { report, line, statement, sent, browser, organizationId } = reader;
    const receipt = await sent(A_PDF, { claimLineId: line.id });
    const console = '/console/test';
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.visit(`${console}/receipts?claimLineId=${line.id}`)).text)![1]!;
    for (const path of [`reports/${report.id}/lines/${line.id}`, `statements/${statement.id}`, 'statements/names'])
      expect((await browser.visit(`${console}/${path}`)).status, path).toBe(200);
    for (const path of [`receipts/${receipt.id}/file`, `reports/${report.id}/files/json`, 'audit/export'])
      expect((await browser.visit(`${console}/${path}`, { csrf })).status, path).toBe(200);
    expect((await browser.visit('/console/live/audit/verify/rows', { csrf })).status).toBe(200);
    const rule = { 'field-0': 'description', 'op-0': 'contains', 'value-0': 'Ticket' };
    const preview = await browser.press(await browser.visit(`${console}/categories/new`), '/preview', rule);
    expect([preview.status, preview.text.includes('Ticket Berlin-Hamburg')]).toEqual([200, true]);
    expect(said(await readsOf(organizationId))).toEqual([
      `claim_line.read ${line.id}`,
      `bank_statement.lines_read ${statement.id}`,
      `organization.names_read ${organizationId}`,
      `receipt.file_taken ${receipt.id}`,
      `claim_report.file_taken ${report.id}`,
      `organization.log_exported ${organizationId}`,
      `organization.log_exported ${organizationId}`,
      `organization.lines_previewed ${organizationId}`,
    ]);
  });

  it('is in the log also where a form that was refused shows it', async () => {
    const { report, line, browser, organizationId } = await aReader();
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/test/projects/new')).text)![1]!;
    const lines = `/console/test/reports/${report.id}/lines`;
    expect((await browser.visit(`${lines}/chosen`, { csrf })).status).toBe(400);
    expect((await browser.visit(`${lines}/${line.id}`, { csrf })).status).toBe(400);
    expect(said(await readsOf(organizationId))).toEqual([`claim_report.lines_read ${report.id}`, `claim_line.read ${line.id}`]);
  });

  it('is not in the log if they were not given it', async () => {
    const reader = await aReader();
    const [{ report, browser, organizationId }, stranger] = [reader, await aReader()];
    const missing = newId();
    for (const path of [`reports/${stranger.report.id}/lines`, `reports/${missing}/lines`, `reports/${report.id}/lines/${missing}`])
      expect((await browser.visit(`/console/test/${path}`)).status, path).toBe(404);
    expect((await bearer(app, reader.accessToken, linesOf(stranger))).status).toBe(404);
    expect((await bearer(app, reader.accessToken, `${REPORTS}/${report.id}/outputs/xlsx`)).status).toBe(404);
    expect((await bearer(app, reader.accessToken, `${linesOf(reader)}?page_size=0`)).status).toBe(400);
    expect(await readsOf(organizationId)).toEqual([]);
    expect(await readsOf(stranger.organizationId)).toEqual([]);
  });

  it('is refused while the log cannot be written, and given when it can', async () => {
    const reader = await aReader();
    const { browser, report, line, organizationId, accessToken } = reader;
    const unwritable = `organization_id <> '${organizationId}'`;
    await asAdministrator(app.databaseUrl, `ALTER TABLE audit_entries ADD CONSTRAINT unwritable CHECK (${unwritable}) NOT VALID`);
    const texts: string[] = [];
    for (const path of [`lines`, `lines/${line.id}`]) {
      const shown = await browser.visit(`/console/test/reports/${report.id}/${path}`);
      expect(shown.status, path).toBeGreaterThanOrEqual(500);
      texts.push(shown.text);
    }
    for (const path of [linesOf(reader), `${REPORTS}/${report.id}/outputs/json`]) {
      const answer = await bearer(app, accessToken, path);
      expect(answer.status, path).toBeGreaterThanOrEqual(500);
      texts.push(await answer.text());
    }
    for (const text of texts) expect(text).not.toContain('Ticket');
    await asAdministrator(app.databaseUrl, 'ALTER TABLE audit_entries DROP CONSTRAINT unwritable');
    expect((await browser.visit(`/console/test/reports/${report.id}/lines`)).text).toContain('Ticket');
    expect(said(await readsOf(organizationId))).toEqual([`claim_report.lines_read ${report.id}`]);
  });

  it('is in the log once, also if it is read many times at once on several replicas', async () => {
    const reader = await aReader();
    const { report, organizationId, accessToken } = reader;
    const replica = await startApp({ DATABASE_URL: app.databaseUrl, BASE_URL: app.url });
    const read = (one: TestApp) => bearer(one, accessToken, linesOf(reader));
    const answers = await Promise.all(Array.from({ length: 10 }, (_nothing, index) => read(index % 2 === 0 ? app : replica)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await replica.close();
    expect(said(await readsOf(organizationId))).toEqual([`claim_report.lines_read ${report.id}`]);
  });

  it('is not noted in vain by somebody who knows the key that another one will use', async () => {
    const reader = await aReader();
    const { api, organizationId, browser, report, user } = reader;
    const key = `read\t${user.id}\tclaim_report.lines_read\t${report.id}`;
    const project = { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-01-31' };
    const refused = await api.post('/v1/claim-projects', project, { 'Idempotency-Key': key });
    expect([refused.status, refused.body]).toMatchObject([400, { code: 'idempotency_key_invalid' }]);
    await browser.visit(`/console/test/reports/${report.id}/lines`);
    expect(await readsOf(organizationId)).toHaveLength(1);
  });
});

it('what a program reads for itself is not in the log', async () => {
  const reader = await aReader();
  const { api, partner, organizationId, report } = reader;
  const { body } = await ask(app, partner, { grant_type: 'client_credentials' });
  expect((await api.get(linesOf(reader))).status).toBe(200);
  expect((await bearer(app, body.access_token!, linesOf(reader))).status).toBe(200);
  expect((await bearer(app, body.access_token!, `${REPORTS}/${report.id}/outputs/json`)).status).toBe(200);
  expect(await readsOf(organizationId)).toEqual([]);
});

it('a person who reads no lines and no files leaves no entry', async () => {
  const { browser, report, organizationId, accessToken } = await aReader();
  await importStatement(app, organizationId);
  for (const path of ['', `/reports/${report.id}`, '/reports', '/statements', '/categories', '/audit', '/receipts'])
    expect((await browser.visit(`/console/test${path}`)).status, path).toBe(200);
  expect((await bearer(app, accessToken, `${REPORTS}/${report.id}`)).status).toBe(200);
  expect(await readsOf(organizationId)).toEqual([]);
});
