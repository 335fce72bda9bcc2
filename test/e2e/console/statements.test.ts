import { zipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { StatementLayoutsService } from '../../../src/modules/statements/index.js';
import type { TestApp } from '../../support/app.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { CANARIES, importStatement, JANUARY, PATIENCE_MS, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const STATEMENTS = '/console/test/statements';
const MIB = 1024 * 1024;

const uploadTo = async ({ browser }: Pick<Visitor, 'browser'>, files: Parameters<Visitor['browser']['upload']>[1], fields = {}) =>
  browser.upload(await browser.visit(`${STATEMENTS}/new`), files, fields);

/** Waits until the statement of a page is redacted or has failed, and shows it. */
const settled = ({ browser }: Pick<Visitor, 'browser'>, path: string) =>
  eventually(async () => {
    const shown = await browser.visit(path);
    expect(shown.text).toContain('data-news="0"');
    return shown;
  }, PATIENCE_MS);

/** Who did something, as the audit log says. The worker seals its entries meanwhile. */
async function actorsOf(organizationId: string, action: string): Promise<string[]> {
  const of = (table: string) => `SELECT actor_id FROM ${table} WHERE organization_id = $1 AND action = $2`;
  const sql = `${of('audit_entries')} UNION ALL ${of('audit_events')}`;
  return (await rowsOf<{ actor_id: string }>(app.databaseUrl, sql, [organizationId, action])).map(({ actor_id: actor }) => actor);
}

describe('the list of statements', () => {
  it('says how many there are of each status, and leads to them by one click; beside another filter it says no numbers', async () => {
    const { browser, organization } = await aVisitor(app);
    for (const [fileName, file] of Object.entries({ 'a.csv': JANUARY, 'b.csv': JANUARY.replace('-89.90', '-89.91'), 'c.csv': 'Dear all' }))
      await importStatement(app, organization.id, { fileName, file });
    const tabsOf = (html: string) =>
      [.../<nav class="tabs"[^]*?<\/nav>/.exec(html)![0].matchAll(/<a href="([^"]*)"[^>]*>([^<]*)/g)].map(
        ([, href, text]) => [new URL(href!, app.url).searchParams.get('status'), text!.trim()] as const,
      );
    const shown = await eventually(async () => {
      const { text } = await browser.visit(STATEMENTS);
      expect(tabsOf(text)).toEqual([
        ['', 'All 3'],
        ['succeeded', 'Ready 2'],
        ['failed', 'Failed 1'],
      ]);
      return text;
    }, PATIENCE_MS);
    expect(shown).not.toContain('name="status"');
    const failed = await browser.visit(`${STATEMENTS}?status=failed`);
    expect([failed.text.includes('c.csv'), failed.text.includes('a.csv')]).toEqual([true, false]);
    expect(tabsOf((await browser.visit(`${STATEMENTS}?search=a`)).text).map(([, text]) => text)).toEqual(['All', 'Ready', 'Failed']);
  });
});

describe('uploading statements', () => {
  it('imports a file, follows its redaction, and shows its lines without personal data', async () => {
    const visitor = await aVisitor(app, { role: 'member' });
    const { organization, user } = visitor;
    const shown = await uploadTo(visitor, [['january.csv', JANUARY]]);
    expect(shown.text).toContain('One file was received.');
    expect(shown.url.pathname).toMatch(/\/statements\/[0-9a-f-]{36}$/);
    const { text } = await settled(visitor, shown.url.pathname);
    for (const part of ['Ready', 'Names of people', 'Ticket Berlin-Hamburg', '-€1,200.00', 'PERSON-']) expect(text).toContain(part);
    const personal = CANARIES.filter((one) => /Jane|jane|\d{10}/.test(one));
    expect(personal.filter((one) => text.includes(one))).toEqual([]);
    expect(await actorsOf(organization.id, 'bank_statement.imported')).toEqual([user.id]);
  });

  it('imports several at once into a project, and lists them by project and status', async () => {
    const visitor = await aVisitor(app);
    const { browser } = visitor;
    const dates = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    const project = await browser.fill('/console/test/projects/new', { name: 'Of the upload', ...dates });
    const projectId = project.url.pathname.split('/').at(-1)!;
    const files = [
      ['one.csv', JANUARY],
      ['two.csv', JANUARY.replace('-89.90', '-89.91')],
    ] as const;
    const shown = await uploadTo(visitor, files, { projectId });
    expect([shown.url.pathname, shown.text]).toEqual([STATEMENTS, expect.stringContaining('2 files were received.')]);
    expect((await browser.visit(`${STATEMENTS}?project=${projectId}`)).text).toContain('one.csv');
    expect((await browser.visit(`${STATEMENTS}?status=failed`)).text).not.toContain('one.csv');
    expect((await browser.visit(`${STATEMENTS}?search=TWO`)).text).toMatch(/two\.csv.*1–1 of 1/s);
  });

  it('says that a file was imported already, and does not import it again', async () => {
    const visitor = await aVisitor(app);
    const first = await uploadTo(visitor, [['january.csv', JANUARY]]);
    const form = await visitor.browser.visit(`${STATEMENTS}/new`);
    const answers = await Promise.all([1, 2].map(() => visitor.browser.upload(form, [['again.csv', JANUARY]])));
    for (const shown of answers) expect(shown.url.pathname).toBe(first.url.pathname);
    expect((await uploadTo(visitor, [['again.csv', JANUARY]])).text).toContain('Received before, and not taken again: january.csv.');
  });

  it('names the file that was refused and why, imports the others, and keeps what was entered', async () => {
    const visitor = await aVisitor(app);
    const large = Buffer.alloc(20 * MIB + 1, '1');
    const shown = await uploadTo(
      visitor,
      [
        ['january.csv', JANUARY],
        ['<script>large.csv', large],
      ],
      { account: 'DE75512108001245126199' },
    );
    expect(shown.status).toBe(400);
    expect(textOf(shown.text)).toContain('<script>large.csv: The file is larger than 20 MiB.');
    expect(shown.text).not.toContain('<script>large');
    expect(shown.text).toContain('One file was not taken. One file was received.');
    expect(shown.text).toContain('value="DE75512108001245126199"');
  });

  it('can be tried first: it says of each file how it would be read, or why not, and keeps none', async () => {
    const visitor = await aVisitor(app);
    const check = async (files: Parameters<typeof uploadTo>[1], fields = {}) =>
      visitor.browser.upload(await visitor.browser.visit(`${STATEMENTS}/new`), files, fields, `${STATEMENTS}/new/check`);
    const { status, text } = await check([
      ['january.csv', JANUARY],
      ['wrong.csv', JANUARY.replace('-12.40', 'twelve')],
      ['many.zip', Buffer.from(zipSync({ 'a.csv': Buffer.from(JANUARY) }))],
    ]);
    expect([status, textOf(text)]).toEqual([200, expect.stringContaining('Nothing of these files was kept.')]);
    expect(text).toContain('Line 4 has no valid amount.');
    expect(text).toContain('must be one statement');
    expect((await check([['january.csv', JANUARY]], { currency: 'euro' })).text).toMatch(/id="currency-error"/);
    expect((await check([])).text).toMatch(/id="file-error"/);
    expect((await visitor.browser.visit(STATEMENTS)).text).not.toContain('january.csv');
    expect(await actorsOf(visitor.organization.id, 'bank_statement.checked')).toEqual([visitor.user.id, visitor.user.id]);
  });

  it('says at the field what is wrong: no file, a currency that is none, a project that is none', async () => {
    const visitor = await aVisitor(app);
    expect((await uploadTo(visitor, [])).text).toMatch(/id="file-error">Files must be chosen/);
    const file = ['january.csv', JANUARY] as const;
    expect((await uploadTo(visitor, [file], { currency: 'E1' })).text).toMatch(/id="currency-error"/);
    expect((await uploadTo(visitor, [file], { projectId: 'none' })).text).toMatch(/id="projectId-error"/);
  });

  it('reads files by the layout that is chosen: a shipped one, or one that the organization keeps in the environment', async () => {
    const visitor = await aVisitor(app);
    const numbered = { name: 'Numbers of ours', width: 3, columns: { '1': 'date', '2': 'description', '3': 'amount' } };
    const tenant = { organizationId: visitor.organization.id, environment: 'test' } as const;
    await app.app.get(StatementLayoutsService).keep(OPERATOR, tenant, JSON.stringify(numbered));
    const form = await visitor.browser.visit(`${STATEMENTS}/new`);
    expect(form.text).toContain('>Numbers of ours (kept by your organization)');
    expect((await visitor.browser.visit('/console/live/statements/new')).text).not.toContain('Numbers');
    const kept = await uploadTo(visitor, [['numbers.csv', '2026-01-05,Tea room,-4.20\n2026-01-06,Book shop,-5.30\n']], {
      layout: numbered.name,
    });
    expect((await settled(visitor, kept.url.pathname)).text).toMatch(/Tea room.*-4\.20.*Book shop.*-5\.30/s);
    const cibc = await readFile('test/statements/ca/cibc-headerless.csv');
    const shipped = await uploadTo(visitor, [['cibc.csv', cibc]], { layout: 'ca/cibc' });
    expect((await settled(visitor, shipped.url.pathname)).text).toContain('Ready');
    const unknown = await uploadTo(visitor, [['january.csv', JANUARY]], { layout: 'none' });
    expect([unknown.status, textOf(unknown.text)]).toEqual([400, expect.stringContaining('“none” is neither kept by the organization')]);
    expect(unknown.text).toContain('id="layout-error"');
  });

  it('refuses more files or bytes than it says', async () => {
    const visitor = await aVisitor(app);
    const many = Array.from({ length: 21 }, (_none, index) => [`${index}.csv`, `${JANUARY}${index}`] as const);
    const tooMany = await uploadTo(visitor, many);
    expect([tooMany.status, tooMany.text]).toEqual([400, expect.stringContaining('Send at most 20 files at once.')]);
    const large = Array.from({ length: 3 }, (_none, index) => [`${index}.csv`, Buffer.alloc(18 * MIB)] as const);
    const tooLarge = await uploadTo(visitor, large);
    expect([tooLarge.status, tooLarge.text]).toEqual([413, expect.stringContaining('at most 50 MiB')]);
    expect((await visitor.browser.visit(STATEMENTS)).text).toContain('No statement is here yet');
  });

  it('takes no form of another site, and none whose token comes after its file', async () => {
    const { browser } = await aVisitor(app);
    const form = await browser.visit(`${STATEMENTS}/new`);
    expect((await browser.upload(form, [['january.csv', JANUARY]], { csrf: 'wrong' })).status).toBe(403);
    const late = new FormData();
    late.append('file', new Blob([JANUARY]), 'january.csv');
    late.append('csrf', /name="csrf" value="([^"]+)"/.exec(form.text)![1]!);
    expect((await browser.visit(`${STATEMENTS}/new`, late)).status).toBe(403);
    expect((await browser.visit(`${STATEMENTS}/new`, { csrf: 'wrong' })).status).toBe(415);
    expect((await browser.visit(STATEMENTS)).text).toContain('No statement is here yet');
  });

  it('refuses a form that ends in the middle of a file', async () => {
    const { browser } = await aVisitor(app);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.visit(`${STATEMENTS}/new`)).text)![1]!;
    const field = `--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n`;
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nDate,Amo';
    const answer = await fetch(`${app.url}${STATEMENTS}/new`, {
      method: 'POST',
      headers: { cookie: browser.cookieHeader(), 'content-type': 'multipart/form-data; boundary=x' },
      body: field + file,
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('The form ended too early.')]);
    expect((await browser.visit(STATEMENTS)).text).toContain('No statement is here yet');
  });
});

describe('a statement', () => {
  it('says why it failed, and can be tried again', async () => {
    const visitor = await aVisitor(app);
    const { id } = await importStatement(app, visitor.organization.id, { file: 'not a statement', fileName: 'broken.csv' });
    const path = `${STATEMENTS}/${id}`;
    const shown = await settled(visitor, path);
    expect(shown.text).toMatch(/Why it failed.*role="alert"/s);
    expect((await visitor.browser.send(shown, {}, '/retry')).text).toContain('The statement was queued again.');
    await settled(visitor, path);
    expect(await actorsOf(visitor.organization.id, 'bank_statement.retried')).toEqual([visitor.user.id]);
  });

  it('shows its lines page by page', async () => {
    const visitor = await aVisitor(app);
    const line = (index: number) => `2026-01-05,Ticket number${index},-1.00,EUR,Deutsche Bahn AG,DE75512108001245126199\n`;
    const file = JANUARY.split('\n')[0]! + '\n' + Array.from({ length: 120 }, (_none, index) => line(index + 1)).join('');
    const { id } = await importStatement(app, visitor.organization.id, { file });
    const { text } = await settled(visitor, `${STATEMENTS}/${id}`);
    expect([text.includes('id="line-50"'), text.includes('id="line-51"')]).toEqual([true, false]);
    expect(text).toContain('1–50 of 120');
    const last = (await visitor.browser.visit(`${STATEMENTS}/${id}?page=3`)).text;
    expect([last.includes('id="line-101"'), last.includes('id="line-120"'), last.includes('rel="next"')]).toEqual([true, true, false]);
    expect((await visitor.browser.visit(`${STATEMENTS}/${id}?page=9007199254740991`)).status).toBe(200);
  });

  it('is not there for another organization or environment, and is not retried by them', async () => {
    const [visitor, stranger] = [await aVisitor(app), await aVisitor(app)];
    const { id } = await importStatement(app, visitor.organization.id, { file: 'not a statement' });
    await settled(visitor, `${STATEMENTS}/${id}`);
    const csrfOf = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)![1]!;
    for (const [{ browser }, environment] of [[stranger, 'test'] as const, [visitor, 'live'] as const]) {
      const own = await browser.visit(`/console/${environment}/statements`);
      const path = `/console/${environment}/statements/${id}`;
      expect((await browser.visit(path)).status).toBe(404);
      expect((await browser.visit(`${path}/retry`, { csrf: csrfOf(own.text) })).status).toBe(404);
    }
    expect(await actorsOf(visitor.organization.id, 'bank_statement.retried')).toEqual([]);
  });

  it('is a first step of an organization until there is one', async () => {
    const visitor = await aVisitor(app);
    expect((await visitor.browser.visit('/console/test')).text).toContain('Upload a statement');
    const colleague = await aVisitorOf(app, visitor.organization, { role: 'member' });
    await uploadTo(colleague, [['january.csv', JANUARY]]);
    expect((await visitor.browser.visit('/console/test')).text).not.toMatch(/To do<\/span> <a href="[^"]*statements\/new"/);
  });
});
