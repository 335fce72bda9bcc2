import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { rule } from '../../support/reports.js';
import { importStatement, PATIENCE_MS, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const REPORTS = '/console/test/reports';
const JANUARY = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };

/** A visitor whose organization has a redacted statement, a category and a configuration. */
async function aClaimant(formats: readonly string[] = ['json', 'csv']) {
  const visitor = await aVisitor(app);
  const { organization, browser } = visitor;
  const api = new Client(app.url, (await aKey(app, organization.id)).key);
  const made = async (path: string, body: object) => ((await api.post(path, body)).body as { id: string }).id;
  await made('/v1/expense-categories', { code: 'RAIL', name: 'Rail travel', sourceMapping: { rules: [rule('Ticket')] } });
  const configurationId = await made('/v1/report-configurations', {
    name: 'Of January',
    ...JANUARY,
    outputOptions: { formats, detail: 'lines' },
  });
  const { id: statementId } = await importStatement(app, organization.id);
  await eventually(
    async () => expect((await browser.visit(`/console/test/statements/${statementId}`)).text).toContain('data-news="0"'),
    PATIENCE_MS,
  );
  return { ...visitor, api, configurationId, statementId, made };
}

const start = ({ browser }: Pick<Visitor, 'browser'>, fields: Record<string, string> = {}) =>
  browser.fill(`${REPORTS}/new?projectId=`, fields);

const ended = ({ browser }: Pick<Visitor, 'browser'>, path: string) =>
  eventually(async () => {
    const shown = await browser.visit(path);
    expect(shown.text).toContain('id="run" data-news="0"');
    return shown;
  }, PATIENCE_MS);

describe('a report in the console', () => {
  it('is made by a form, followed to its end, and shown with totals, warnings, lines and files', async () => {
    const claimant = await aClaimant();
    const { browser, configurationId, statementId, organization, user } = claimant;
    const queued = await start(claimant, { reportConfigurationId: configurationId });
    expect(queued.text).toContain('You started this report.');
    const { text, url } = await ended(claimant, queued.url.pathname);
    for (const part of ['Succeeded', '€70.00', 'RAIL', 'Rail travel', 'Jan 2026']) expect(text).toContain(part);
    expect(text).toContain(`/console/test/statements/${statementId}?page=1#line-2`);
    const events = await rowsOf(app.databaseUrl, 'SELECT kind FROM events WHERE organization_id = $1 AND resource_id = $2 ORDER BY id', [
      organization.id,
      url.pathname.split('/').at(-1),
    ]);
    expect(events).toEqual([{ kind: 'claim_report.queued' }, { kind: 'claim_report.succeeded' }]);
    expect((await browser.visit('/console/test')).text).toMatch(/Recent reports.*Of January.*Succeeded/s);
    expect((await browser.visit(`${REPORTS}?configuration=${configurationId}&status=succeeded`)).text).toContain(url.pathname);
    expect((await browser.visit(`${REPORTS}?status=failed`)).text).not.toContain(url.pathname);
    const file = await browser.send(await browser.visit(url.pathname), {}, '/files/csv');
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(file.headers.get('content-disposition')).toContain('report-');
    expect(file.text).toContain('RAIL');
    expect(user.organizationId).toBe(organization.id);
  });

  it('links its warnings to the statements and categories that they name', async () => {
    const claimant = await aClaimant();
    await claimant.made('/v1/expense-categories', { code: 'EMPTY', name: 'Without rules' });
    const { url } = await start(claimant, { reportConfigurationId: claimant.configurationId });
    const { text } = await ended(claimant, url.pathname);
    expect(text).toContain('<a href="/console/test/categories?search=EMPTY">EMPTY</a> has no rules');
  });

  it('says what changed since the run before', async () => {
    const claimant = await aClaimant();
    const { browser, made, configurationId } = claimant;
    const first = await start(claimant, { reportConfigurationId: configurationId });
    await ended(claimant, first.url.pathname);
    expect((await browser.visit(`${first.url.pathname}/compare`)).text).toContain('There is no run before it');
    await made('/v1/expense-categories', { code: 'COFFEE', name: 'Coffee', sourceMapping: { rules: [rule('Coffee')] } });
    const second = await start(claimant, { reportConfigurationId: configurationId });
    expect((await ended(claimant, second.url.pathname)).text).toContain(`${second.url.pathname}/compare`);
    const { text } = await browser.visit(`${second.url.pathname}/compare`);
    expect(text).toMatch(/COFFEE.*12\.40/s);
    expect(text).toContain(first.url.pathname);
    expect((await browser.visit(`${first.url.pathname}/compare`)).text).toContain('There is no run before it');
  });

  it('names at its field what is wrong, and keeps what was chosen', async () => {
    const claimant = await aClaimant();
    const { browser, made, configurationId } = claimant;
    const [projectId, otherId] = [
      await made('/v1/claim-projects', { name: 'One', status: 'active', ...JANUARY }),
      await made('/v1/claim-projects', { name: 'Other', status: 'active', ...JANUARY }),
    ];
    const ofOther = await made('/v1/report-configurations', { name: 'Of the other', projectId: otherId, ...JANUARY });
    const shown = await start(claimant, { projectId, reportConfigurationId: ofOther });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('id="projectId-error"')]);
    expect(shown.text).toContain(`<option value="${ofOther}" selected`);
    expect((await browser.visit(`${REPORTS}/none`)).status).toBe(404);
    expect((await browser.visit(`${REPORTS}?project=none&configuration=${configurationId}`)).status).toBe(200);
  });

  it('shows a hostile name as text', async () => {
    const claimant = await aClaimant();
    const name = '<script>alert(1)</script>';
    const id = await claimant.made('/v1/report-configurations', { name, ...JANUARY });
    const shown = await start(claimant, { reportConfigurationId: id });
    expect(shown.text).not.toContain('<script>alert');
    expect(textOf(shown.text)).toContain(`<h1>${name}</h1>`);
  });
});

describe('a run', () => {
  /** A run that no worker takes up. */
  async function aQueuedRun(visitor: Visitor): Promise<string> {
    const shown = await start(visitor);
    const id = shown.url.pathname.split('/').at(-1)!;
    await ended(visitor, shown.url.pathname);
    const held = `status = 'running', lease = NULL, result = NULL, taken_at = now() + interval '1 hour'`;
    await rowsOf(app.databaseUrl, `UPDATE claim_reports SET ${held} WHERE id = $1`, [id]);
    return id;
  }

  it('is cancelled once, by people of its organization in its environment only', async () => {
    const [visitor, stranger] = [await aVisitor(app, { role: 'member' }), await aVisitor(app)];
    const id = await aQueuedRun(visitor);
    for (const [{ browser }, environment] of [[stranger, 'test'] as const, [visitor, 'live'] as const]) {
      const path = `/console/${environment}/reports`;
      const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.visit(path)).text)![1]!;
      for (const page of [id, `${id}/compare`]) expect((await browser.visit(`${path}/${page}`)).status).toBe(404);
      for (const action of ['cancel', 'files/json']) expect((await browser.visit(`${path}/${id}/${action}`, { csrf })).status).toBe(404);
    }
    const shown = await visitor.browser.visit(`${REPORTS}/${id}`);
    expect(shown.text).toContain('data-news="2"');
    const cancelled = await visitor.browser.send(shown, {}, '/cancel');
    expect(cancelled.text).toMatch(/The run was cancelled\..*Cancelled/s);
    // The page of another tab still offers it: nothing more happens.
    expect((await visitor.browser.send(shown, {}, '/cancel')).text).toContain('The run was cancelled.');
    const of = (table: string) => `SELECT actor_id FROM ${table} WHERE organization_id = $1 AND action = 'claim_report.cancelled'`;
    const actors = await rowsOf(app.databaseUrl, `${of('audit_entries')} UNION ALL ${of('audit_events')}`, [visitor.organization.id]);
    expect(actors).toEqual([{ actor_id: visitor.user.id }]);
    const events = await rowsOf(
      app.databaseUrl,
      `SELECT data->>'status' AS status FROM events WHERE resource_id = $1 AND kind = 'claim_report.cancelled'`,
      [id],
    );
    expect(events).toEqual([{ status: 'cancelled' }]);
  });
});
