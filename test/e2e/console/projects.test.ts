import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, aVisitorOf, ConsoleBrowser, signInByLink, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { rule } from '../../support/reports.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const PROJECTS = '/console/test/projects';
const YEAR = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

async function anAccountant(project: object = {}) {
  const visitor = await aVisitor(app);
  const api = new Client(app.url, (await aKey(app, visitor.organization.id)).key);
  const made = async (path: string, body: object) => ((await api.post(path, body)).body as { id: string }).id;
  const settings = { clientReference: 'CLIENT-1', status: 'active', metadata: { office: 'BER' } };
  const projectId = await made('/v1/claim-projects', { name: 'Berlin office 2026', ...settings, ...YEAR, ...project });
  return { ...visitor, api, made, projectId, path: `${PROJECTS}/${projectId}` };
}

/** A project with categories and configurations of its own, and others that are not. */
async function withParts() {
  const accountant = await anAccountant();
  const { made, projectId } = accountant;
  const category = (code: string, more: object = {}) =>
    made('/v1/expense-categories', {
      code,
      name: `Category ${code}`,
      projectId,
      sourceMapping: { rules: [rule(code)], priority: 2 },
      ...more,
    });
  await category('RENT');
  await category('POWER');
  await category('OLD', { status: 'archived' });
  await category('RAIL', { projectId: null });
  const configuration = (name: string, more: object = {}) =>
    made('/v1/report-configurations', { name, projectId, status: 'ready', ...YEAR, outputOptions: { formats: ['pdf'] }, ...more });
  await configuration('Year 2026');
  await configuration('First quarter', { periodEnd: '2026-03-31' });
  await configuration('Not used', { status: 'archived' });
  await configuration('Of all', { projectId: null });
  return accountant;
}

const projectsOf = ({ organization }: Pick<Visitor, 'organization'>) =>
  rowsOf(
    app.databaseUrl,
    `SELECT name, client_reference, period_start::text, period_end::text, status, metadata FROM claim_projects
      WHERE organization_id = $1 ORDER BY id`,
    [organization.id],
  );
const partsOf = async (id: string) => [
  await rowsOf(app.databaseUrl, 'SELECT code, source_mapping FROM expense_categories WHERE project_id = $1 ORDER BY id', [id]),
  await rowsOf(
    app.databaseUrl,
    `SELECT name, period_start::text, period_end::text, status, output_options FROM report_configurations
      WHERE project_id = $1 ORDER BY id`,
    [id],
  ),
];
const idOf = ({ url }: { url: URL }): string => url.pathname.split('/').at(-1)!;

const PARTS = [
  ['RENT', 'POWER'].map((code) => ({ code, source_mapping: { rules: [rule(code)], priority: 2 } })),
  [
    { name: 'Year 2027', period_start: '2027-01-01', period_end: '2027-12-31', status: 'ready', output_options: { formats: ['pdf'] } },
    {
      name: 'First quarter (2027-01-01 to 2027-12-31)',
      period_start: '2027-01-01',
      period_end: '2027-03-31',
      status: 'ready',
      output_options: { formats: ['pdf'] },
    },
  ],
];

/** The links of the tabs of a page: what each says, and where it leads to. */
const tabsOf = ({ text }: { text: string }) =>
  [.../<nav class="tabs"[^>]*>(.*?)<\/nav>/s.exec(text)![1]!.matchAll(/<a href="([^"]+)"[^>]*>([^<]*)<\/a>/g)].map(([, to, label]) => [
    textOf(label!).trim(),
    textOf(to!),
  ]);

describe('the page of a project', () => {
  it('begins with what to do next, and shows each kind of its records on a tab, with how many there are', async () => {
    const { browser, path, projectId } = await withParts();
    const first = await browser.visit(path);
    expect(tabsOf(first)).toEqual([
      ['Overview', path],
      ['Bank statements 0', `${path}?tab=statements`],
      // Two of its own, and one of all projects.
      ['Categories 3', `${path}?tab=categories`],
      ['Configurations 3', `${path}?tab=configurations`],
    ]);
    expect(textOf(first.text)).toContain('The project has no bank statements yet.');
    expect(first.text).toContain(`/console/test/statements/new?projectId=${projectId}`);
    expect(first.text).toContain('CLIENT-1');
    for (const elsewhere of ['Category RENT', 'First quarter']) expect(first.text).not.toContain(elsewhere);

    const shown = async (tab: string): Promise<string> => (await browser.visit(`${path}?tab=${tab}`)).text;
    const categories = await shown('categories');
    for (const part of ['Category RENT', 'Category RAIL', `categories/new?projectId=${projectId}`]) expect(categories).toContain(part);
    for (const elsewhere of ['Category OLD', 'First quarter', 'CLIENT-1']) expect(categories).not.toContain(elsewhere);
    expect(categories).toContain(`?tab=categories" aria-current="page"`);
    const configurations = await shown('configurations');
    for (const part of ['Year 2026', 'Not used', `configurations/new?projectId=${projectId}`]) expect(configurations).toContain(part);
    expect(configurations).not.toContain('Of all');
    expect(textOf(await shown('statements'))).toContain('The project has no bank statements yet.');
    expect(await shown('none')).toContain('CLIENT-1');
  });

  it('says what comes next until there is all that a report needs', async () => {
    const { browser, path, made } = await anAccountant();
    const nextOf = async (): Promise<string> => /<p class="notice">(.*?)<\/p>/s.exec(textOf((await browser.visit(path)).text))?.[1] ?? '';
    const projectId = path.split('/').at(-1)!;
    expect(await nextOf()).toContain('The project has no bank statements yet.');
    const lines = [{ bookedOn: '2026-03-02', amount: '-12.50', description: 'Rent' }];
    await made('/v1/bank-statements', { projectId, currency: 'EUR', lines });
    expect(await nextOf()).toContain('Categories say what can be claimed.');
    await made('/v1/expense-categories', { code: 'RENT', name: 'Rent', projectId, sourceMapping: { rules: [rule('RENT')] } });
    expect(await nextOf()).toContain('A configuration says which files a report makes.');
    await made('/v1/report-configurations', { name: 'Year', projectId, status: 'ready', ...YEAR });
    expect(await nextOf()).toContain('All is there for a first report.');
    await made('/v1/claim-reports', { projectId });
    expect(await nextOf()).toBe('');
    expect(tabsOf(await browser.visit(path)).map(([label]) => label)).toEqual([
      ...['Overview', 'Bank statements 1', 'Categories 1', 'Configurations 1'],
    ]);
  });

  it.each(['de', 'fr', 'es', 'nl'])('has its tabs in %s', async (language) => {
    const { user, path } = await withParts();
    const browser = new ConsoleBrowser(app.url, language);
    await signInByLink(app, browser, user);
    for (const [label, to] of tabsOf(await browser.visit(path))) {
      const { status, text } = await browser.visit(to!);
      expect([status, text.includes(`<html lang="${language}"`), text.includes('?tab=statements')], label).toEqual([200, true, true]);
      expect(text).not.toContain('Bank statements');
    }
  });

  it('shows neither parts nor tabs of a project of somebody else', async () => {
    const [{ path }, stranger] = [await withParts(), await aVisitor(app)];
    for (const query of ['', '?tab=categories', '?tab=statements']) {
      const { status, text } = await stranger.browser.visit(path + query);
      expect([status, text.includes('?tab='), text.includes('RENT')]).toEqual([404, false, false]);
    }
  });
});

describe('the same for the next period', () => {
  it('makes a project with the next period and the same settings, categories and configurations, and says so', async () => {
    const accountant = await withParts();
    const { browser, path, organization, user } = accountant;
    expect((await browser.visit(path)).text).toContain(`href="${path}/next"`);
    const page = await browser.visit(`${path}/next`);
    for (const part of ['value="Berlin office 2027"', '<dd>2027</dd>', '2: RENT, POWER', '2: Year 2026, First quarter'])
      expect(page.text).toContain(part);
    const shown = await browser.send(page);
    expect(textOf(shown.text)).toContain('The project was created. Categories: 2 copied. Configurations: 2 copied.');
    const settings = { client_reference: 'CLIENT-1', status: 'active', metadata: { office: 'BER' } };
    expect((await projectsOf(accountant))[1]).toEqual({
      name: 'Berlin office 2027',
      period_start: '2027-01-01',
      period_end: '2027-12-31',
      ...settings,
    });
    expect(await partsOf(idOf(shown))).toEqual(PARTS);
    const events = await rowsOf(
      app.databaseUrl,
      `SELECT action, count(*)::int AS count FROM (SELECT action, organization_id, actor_id FROM audit_entries
         UNION ALL SELECT action, organization_id, actor_id FROM audit_events) AS entries
       WHERE organization_id = $1 AND actor_id = $2 AND action LIKE '%.created' GROUP BY 1 ORDER BY 1`,
      [organization.id, user.id],
    );
    expect(events).toEqual([
      { action: 'claim_project.created', count: 1 },
      { action: 'expense_category.created', count: 2 },
      { action: 'report_configuration.created', count: 2 },
    ]);
  });

  it('makes nothing twice: neither by a form that is sent twice, nor by another one', async () => {
    const accountant = await withParts();
    const { browser, path } = accountant;
    const page = await browser.visit(`${path}/next`);
    const [first, second] = await Promise.all([browser.send(page), browser.send(page)]);
    expect(idOf(second)).toBe(idOf(first));
    const again = await browser.fill(`${path}/next`, {});
    expect([idOf(again), textOf(again.text)]).toEqual([
      idOf(first),
      expect.stringContaining('There is such a project already. Categories: 2 there already. Configurations: 2 there already.'),
    ]);
    expect(await projectsOf(accountant)).toHaveLength(2);
    expect(await partsOf(idOf(first))).toEqual(PARTS);
  });

  it('makes what is missing where it was cut off', async () => {
    const { browser, path } = await withParts();
    const page = await browser.visit(`${path}/next`);
    const id = idOf(await browser.send(page));
    await rowsOf(app.databaseUrl, `DELETE FROM expense_categories WHERE project_id = $1 AND code = 'RENT'`, [id]);
    const again = await browser.fill(`${path}/next`, {});
    expect(textOf(again.text)).toContain('Categories: 1 copied, 1 there already.');
  });

  it('copies the others if one is refused, and says which', async () => {
    const { browser, path, projectId } = await withParts();
    await rowsOf(app.databaseUrl, `UPDATE expense_categories SET source_mapping = '{"rules": 1}' WHERE project_id = $1 AND code = 'RENT'`, [
      projectId,
    ]);
    const shown = await browser.fill(`${path}/next`, {});
    expect(textOf(shown.text)).toMatch(/Categories: 1 copied, 1 not copied \(RENT: sourceMapping\.rules .*\)\. Configurations: 2 copied\./);
  });

  it('takes another name, and says at the field if it is used for another period', async () => {
    const { browser, path } = await anAccountant({ status: 'archived' });
    const used = await browser.fill(`${path}/next`, { name: 'berlin office 2026' });
    expect([used.status, used.text]).toEqual([409, expect.stringContaining('id="name-error"')]);
    expect(used.text).toContain('value="berlin office 2026"');
    expect((await browser.send(used, { name: '' })).status).toBe(400);
    const name = '<script>alert(1)</script>';
    const shown = await browser.send(used, { name });
    expect([shown.status, shown.text.includes('<script>alert'), textOf(shown.text).includes(`<h1>${name}</h1>`)]).toEqual([
      200,
      false,
      true,
    ]);
    expect(shown.text).toContain('Active');
    expect((await browser.visit(`${shown.url.pathname}/next`)).text).not.toContain('<script>alert');
  });

  it('refuses what is too much before anything is made', async () => {
    const accountant = await anAccountant();
    const { browser, path, projectId, organization } = accountant;
    const page = await browser.visit(`${path}/next`);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO expense_categories (id, organization_id, environment, project_id, code, name, source_provider, source_mapping, status,
         unique_key, search_key, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'test', $2, 'C' || n, 'C', 'manual', '{}', 'active', 'key ' || n, 'C', now(), now()
       FROM generate_series(1, 201) AS n`,
      [organization.id, projectId],
    );
    const refused = await browser.send(page, { name: 'Kept as it is' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('more than 200 active categories')]);
    expect(refused.text).toContain('value="Kept as it is"');
    expect(await projectsOf(accountant)).toHaveLength(1);
  });

  it('is for every member, of their own organization and environment only', async () => {
    const accountant = await withParts();
    const { path } = accountant;
    const [member, stranger] = [await aVisitorOf(app, accountant.organization, { role: 'member' }), await aVisitor(app)];
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.browser.visit(`${PROJECTS}/new`)).text)![1]!;
    expect((await stranger.browser.visit(`${path}/next`)).status).toBe(404);
    expect((await stranger.browser.visit(`${path}/next`, { csrf, name: 'X' })).status).toBe(404);
    expect((await member.browser.visit(`${path.replace('/test/', '/live/')}/next`)).status).toBe(404);
    expect(textOf((await member.browser.fill(`${path}/next`, {})).text)).toContain('The project was created. Categories: 2 copied.');
  });
});
