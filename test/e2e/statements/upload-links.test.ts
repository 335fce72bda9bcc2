import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { memoryLog } from '../../support/memory-log.js';
import { JANUARY, openStatements } from '../../support/statements.js';
import { LinkClient, linkOf, LINKS, pathIn, projectOf } from '../../support/upload-links.js';
import { aProject } from '../../support/webhooks.js';

const log = memoryLog();
let app: TestApp;
let client: LinkClient;
beforeAll(async () => {
  app = await startApp({}, log.log);
  client = new LinkClient(app.url);
});
afterAll(() => app.close());

const numbered = (number: number): readonly [string, string] => [`${number}.csv`, JANUARY.replace('-89.90', `-${number}.90`)];

/** A visitor with a project and a link to it. */
async function aLink(fields: Readonly<Record<string, string>> = {}, visitor?: Visitor) {
  const maker = visitor ?? (await aVisitor(app, { role: 'member' }));
  const projectId = await projectOf(maker.browser, `Secret project ${newId()}`);
  const path = await linkOf(maker.browser, { projectId, ...fields });
  return { ...maker, projectId, path, list: async () => (await maker.browser.visit(LINKS)).text };
}

interface Audited {
  action: string;
  actor_type: string;
  actor_id: string;
  actor_name: string;
  resource_id: string;
  ip_address: string | null;
}

async function auditOf(organizationId: string, actions: string): Promise<Audited[]> {
  const columns = 'action, actor_type, actor_id, actor_name, resource_id, ip_address, occurred_at';
  const of = (table: string) => `SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND action LIKE $2`;
  return rowsOf<Audited>(app.databaseUrl, `${of('audit_entries')} UNION ALL ${of('audit_events')} ORDER BY occurred_at`, [
    organizationId,
    actions,
  ]);
}

const linkRows = (organizationId: string) =>
  rowsOf<{ id: string; files_taken: number; used_at: Date | null }>(
    app.databaseUrl,
    'SELECT * FROM upload_links WHERE organization_id = $1',
    [organizationId],
  );

const NO_LONGER = 'This link is no longer valid';

describe('an upload link', () => {
  it('takes files without a sign-in, says what became of each, and shows nothing of the organization but its name', async () => {
    const { organization, user, browser, projectId, path } = await aLink({ note: 'All accounts,\njanuary to March' });
    const opened = await client.open(path);
    expect([opened.status, opened.text]).toEqual([200, expect.stringContaining(`Bank statements for ${organization.name}`)]);
    expect(opened.text).toContain('All accounts, january to March');
    for (const hidden of ['Secret project', projectId, organization.id, organization.slug, user.name, user.email, 'set-cookie'])
      expect(opened.html).not.toContain(hidden);
    expect(opened.headers.get('set-cookie')).toBeNull();
    const sent = await client.send(path, [numbered(1), numbered(2), ['large.csv', Buffer.alloc(20 * 1024 * 1024 + 1, '1')]]);
    expect(sent.status).toBe(200);
    expect(sent.text).toMatch(/1\.csv Received 2\.csv Received large\.csv Not taken The file is larger than 20 MiB\. Anything else\?/);
    expect((await client.send(path, [numbered(2), numbered(3)])).text).toMatch(
      /2\.csv Sent before.*3\.csv Received.*You can still send 17 files until/,
    );
    const statements = (await browser.visit(`/console/test/statements?project=${projectId}`)).text;
    for (const name of ['1.csv', '2.csv', '3.csv', '1–3 of 3']) expect(statements).toContain(name);
    expect(await aLinkIn(organization.id)).toMatchObject({ files_taken: 3, used_at: null });
  });

  it('speaks the language that its maker or its client chooses, else that of the browser', async () => {
    const { path, browser, projectId } = await aLink();
    const german = /<html lang="de">.*Kontoauszüge für/s;
    const inBrowser = await fetch(app.url + path, { headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' } });
    expect(await inBrowser.text()).toMatch(german);
    const chosen = await client.open(`${path}?lang=fr`);
    expect(chosen.text).toMatch(/Relevés bancaires pour .*Vous pouvez envoyer 20 fichiers jusqu’au/);
    expect(chosen.html).toContain(`action="${path}?lang=fr"`);
    const sent = await client.send(`${path}?lang=fr`, [numbered(1)]);
    expect(sent.text).toMatch(/1\.csv Reçu .*Vous pouvez encore envoyer 19 fichiers/);
    expect((await client.open('/uploads/upload_nothing?lang=nl')).text).toContain('Deze link is niet meer geldig');
    const made = await browser.fill(`${LINKS}/new`, { projectId, language: 'es' });
    expect(made.text).toMatch(/\/uploads\/[\w-]+\?lang=es</);
  });

  it('is used up when its client says so, and not by opening it or by a file that is refused', async () => {
    const { path, list } = await aLink();
    for (let times = 0; times < 3; times += 1) expect((await client.open(path)).status).toBe(200);
    expect((await client.send(path, [])).text).toContain('Choose at least one file.');
    const refused = await client.send(path, [['empty.zip', Buffer.from(zipSync({ 'Thumbs.db': Buffer.from('') }))]]);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('empty.zip Not taken The archive has no files.')]);
    expect((await client.send(path, [numbered(1)])).status).toBe(200);
    expect(await list()).toContain('1 of 20');
    const finished = await client.finish(path);
    expect([finished.status, finished.text]).toEqual([200, expect.stringContaining('The link is used up')]);
    for (const late of [await client.open(path), await client.send(path, [numbered(2)]), await client.finish(path)])
      expect([late.status, late.text]).toEqual([404, expect.stringContaining(NO_LONGER)]);
    expect(await list()).toMatch(/Used<\/span>/);
  });

  it('is used up by the last file that it takes, of which each file of an archive is one', async () => {
    const { organization, path } = await aLink({ maxFiles: '3' });
    const archive = (...numbers: number[]) =>
      Buffer.from(zipSync(Object.fromEntries(numbers.map((number) => [numbered(number)[0], Buffer.from(numbered(number)[1])]))));
    expect((await client.send(path, [['two.zip', archive(1, 2)]])).text).toContain('two.zip Received, with 2 statements');
    expect((await client.send(path, [['more.zip', archive(3, 4)]])).text).toContain('This link takes one file more.');
    const last = await client.send(path, [numbered(5), numbered(6)]);
    expect(last.text).toMatch(/5\.csv Received 6\.csv Not taken This link is no longer valid.*The link is used up/);
    expect((await client.open(path)).status).toBe(404);
    expect(await aLinkIn(organization.id)).toMatchObject({ files_taken: 3, used_at: expect.any(Date) });
  });

  it('takes no more files than it says of clients that send at once, and a file once if its form is sent twice', async () => {
    const { organization, path } = await aLink({ maxFiles: '2' });
    const sent = await Promise.all([1, 1, 2, 3].map((number) => client.send(path, [numbered(number)])));
    expect(sent.filter(({ text }) => text.includes('Received')).length).toBe(2);
    const statements = await rowsOf(app.databaseUrl, 'SELECT 1 FROM bank_statements WHERE organization_id = $1', [organization.id]);
    expect(statements.length).toBe(2);
  });

  it('is in the audit log as made, used and withdrawn; a statement is by the link and who made it', async () => {
    const { organization, user, path, browser } = await aLink();
    await client.send(path, [numbered(1)]);
    await client.finish(path);
    await linkOf(browser);
    await browser.send(await browser.visit(LINKS), {}, '/withdraw');
    const rows = await auditOf(organization.id, 'upload_link.%');
    const [first, , , withdrawn] = rows;
    expect(rows.map(({ action }) => action)).toEqual(['created', 'used', 'created', 'withdrawn'].map((what) => `upload_link.${what}`));
    expect([first!.actor_id, rows[3]!.actor_id]).toEqual([user.id, user.id]);
    const [imported] = await auditOf(organization.id, 'bank_statement.imported');
    const link = {
      actor_type: 'user',
      actor_id: first!.resource_id,
      actor_name: `Upload link of ${user.name}`,
      ip_address: expect.any(String),
    };
    expect([imported, rows[1]]).toEqual([expect.objectContaining(link), expect.objectContaining(link)]);
    expect(withdrawn!.resource_id).not.toBe(first!.resource_id);
  });

  it('is answered with headers that keep its address to itself, and its token is neither stored nor logged', async () => {
    const { organization, path } = await aLink();
    const answers = [await client.open(path), await client.send(path, [numbered(1)]), await client.finish(path), await client.open(path)];
    for (const { headers } of answers) {
      expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/);
    }
    const token = path.split('/').at(-1)!;
    await client.open(`${path}/`);
    expect(log.requests().map(({ path: logged }) => logged)).toEqual(expect.arrayContaining(['/uploads/:token', '/uploads/:token/finish']));
    expect(log.text()).not.toContain(token.slice(-43));
    const stored = JSON.stringify(await linkRows(organization.id)) + JSON.stringify(await auditOf(organization.id, '%'));
    expect(stored).not.toContain(token.slice(-43));
  });

  it('is found by its whole token only, in its own organization and environment', async () => {
    const [{ path }, other] = [await aLink(), await aLink()];
    const [token, others] = [path, other.path].map((one) => one.slice('/uploads/upload_test_'.length));
    const changed = (at: number) => `${token!.slice(0, at)}${token![at] === 'A' ? 'B' : 'A'}${token!.slice(at + 1)}`;
    const wrong = [changed(0), changed(30), changed(63), token!.slice(1), `${token}A`, others!.slice(0, 22) + token!.slice(22), ''];
    const paths = [...wrong.map((one) => `/uploads/upload_test_${one}`), `/uploads/upload_live_${token}`, '/uploads/none', '/uploads/%00'];
    for (const one of paths) expect([one, (await client.open(one)).status]).toEqual([one, 404]);
    expect((await client.open(path)).status).toBe(200);
  });

  it('ends with its time, and with the organization', async () => {
    const [{ organization, path, list }, suspended] = [await aLink({ days: '1' }), await aLink()];
    await rowsOf(app.databaseUrl, 'UPDATE upload_links SET expires_at = now() WHERE organization_id = $1', [organization.id]);
    expect([(await client.open(path)).status, (await client.send(path, [numbered(1)])).status]).toEqual([404, 404]);
    expect(await list()).toMatch(/Expired<\/span>/);
    await app.app.get(OrganizationService).change(OPERATOR, suspended.organization.id, { status: 'suspended' });
    expect((await client.open(suspended.path)).status).toBe(404);
  });

  it('takes no form of another site', async () => {
    const { path, list } = await aLink();
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    expect((await client.send(path, [numbered(1)], elsewhere)).status).toBe(403);
    expect((await client.finish(path, elsewhere)).status).toBe(403);
    expect(await list()).toMatch(/Open<\/span>.*0 of 20/s);
  });

  it('shows a note and the name of a file as they are written', async () => {
    const { path, list } = await aLink({ note: '<script>alert(1)</script>' });
    const sent = await client.send(path, [['<script>.csv', JANUARY]]);
    for (const html of [(await client.open(path)).html, sent.html, await list()]) expect(html).not.toMatch(/<script>/);
    expect((await client.open(path)).text).toContain('<script>alert(1)</script>');
    expect(textOf(await list())).toContain('<script>alert(1)</script>');
  });
});

describe('upload links in the console', () => {
  it('are made once however often the form is sent, and shown once', async () => {
    const { organization, browser } = await aVisitor(app);
    const projectId = await projectOf(browser);
    const form = await browser.visit(`${LINKS}/new?project=${projectId}`);
    const [first, second] = await Promise.all([1, 2].map(() => browser.send(form)));
    expect(pathIn(second!.text)).toBe(pathIn(first!.text));
    expect((await linkRows(organization.id)).length).toBe(1);
    expect((await auditOf(organization.id, 'upload_link.created')).length).toBe(1);
    expect((await browser.visit(LINKS)).text).not.toContain('upload_test_');
    expect(await linkOf(browser)).not.toBe(pathIn(first!.text));
  });

  it('say at the field what is wrong, and keep what was entered', async () => {
    const { browser, projectId } = await aLink();
    const wrong = { projectId, note: 'x'.repeat(501), days: '31', maxFiles: '0' };
    const tooLong = await browser.fill(`${LINKS}/new`, wrong);
    expect([tooLong.status, tooLong.text]).toEqual([400, expect.stringMatching(/id="note-error">[^<]* must have at most 500/)]);
    expect(tooLong.text).toContain(wrong.note);
    for (const days of ['31', '0', '1.5', '', 'x']) {
      const { text } = await browser.fill(`${LINKS}/new`, { projectId, days, note: 'kept' });
      expect(text).toMatch(/kept.*id="days-error">[^<]* must be (from 1 to 30|a whole number)/s);
    }
    expect((await browser.fill(`${LINKS}/new`, { maxFiles: '101' })).text).toMatch(/id="maxFiles-error">/);
    expect((await browser.fill(`${LINKS}/new`, { projectId: 'none' })).text).toMatch(/id="projectId-error">Project /);
    expect((await browser.fill(`${LINKS}/new`, { projectId: newId() })).status).toBe(400);
  });

  it('need a project first, and are an empty list at first', async () => {
    const { browser } = await aVisitor(app, { role: 'member' });
    expect((await browser.visit(LINKS)).text).toContain('No upload link was made yet.');
    expect((await browser.visit(`${LINKS}/new`)).text).toContain('Create a project');
  });

  it('are withdrawn by any member at once, twice without harm, and not by another organization or environment', async () => {
    const { organization, browser, path } = await aLink();
    const { id } = await aLinkIn(organization.id);
    const [colleague, stranger] = [await aVisitorOf(app, organization, { role: 'member' }), await aVisitor(app)];
    const csrfOf = async ({ browser: one }: Pick<Visitor, 'browser'>, page: string) =>
      /name="csrf" value="([^"]+)"/.exec((await one.visit(page)).text)![1]!;
    for (const [who, environment] of [[stranger, 'test'] as const, [colleague, 'live'] as const]) {
      const own = `/console/${environment}/statements/links`;
      expect((await who.browser.visit(own)).text).not.toContain(id);
      const refused = await who.browser.visit(`${own}/${id}/withdraw`, { csrf: await csrfOf(who, own) });
      expect(refused.status).toBe(404);
    }
    expect((await client.open(path)).status).toBe(200);
    const shown = await browser.visit(LINKS);
    for (const one of [
      await colleague.browser.send(shown, { csrf: await csrfOf(colleague, LINKS) }, '/withdraw'),
      await browser.send(shown, {}, '/withdraw'),
    ])
      expect(one.text).toMatch(/The link was withdrawn\..*Withdrawn<\/span>/s);
    expect((await client.open(path)).status).toBe(404);
    expect((await auditOf(organization.id, 'upload_link.withdrawn')).length).toBe(1);
  });
});

async function aLinkIn(organizationId: string) {
  const [row] = await linkRows(organizationId);
  return row!;
}

describe('upload links by the API', () => {
  it('are made by a program for a client, who uploads by the address; the address is in no other answer', async () => {
    const { api } = await openStatements(app);
    const project = await aProject(api);
    const made = await api.post('/v1/upload-links', { projectId: project.id, note: 'January, please', maxFiles: 2 });
    expect(made).toMatchObject({ status: 201, body: { status: 'open', maxFiles: 2, filesTaken: 0, note: 'January, please' } });
    const { id, address } = made.body as { id: string; address: string };
    const path = new URL(address).pathname;
    expect((await client.send(path, [['january.csv', JANUARY]])).status).toBe(200);
    // Not 304: what it has taken has changed.
    const once = await api.get(`/v1/upload-links/${id}`, { 'If-None-Match': made.headers.etag as string });
    expect(once).toMatchObject({ status: 200, body: { status: 'open', filesTaken: 1 } });
    expect((await client.send(path, [numbered(2)])).status).toBe(200);
    const { text, body } = await api.get(`/v1/upload-links/${id}`);
    expect(body).toMatchObject({ status: 'used', filesTaken: 2 });
    expect([text, (await api.get('/v1/upload-links')).text].some((answer) => answer.includes('upload_test_'))).toBe(false);
    const { data } = (await api.get(`/v1/bank-statements?project_id=${project.id}`)).body as { data: object[] };
    expect(data).toHaveLength(2);
  });

  it('end when they are withdrawn, and belong to a project that exists', async () => {
    const { api } = await openStatements(app);
    const project = await aProject(api);
    const { id, address } = (await api.post('/v1/upload-links', { projectId: project.id })).body as { id: string; address: string };
    expect(await api.patch(`/v1/upload-links/${id}`, { withdraw: true })).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
    expect((await client.open(new URL(address).pathname)).status).toBe(404);
    expect(await api.post('/v1/upload-links', { projectId: newId() })).toMatchObject({ body: { code: 'related_record_missing' } });
    const wrong = await api.post('/v1/upload-links', { projectId: project.id, days: 31, maxFiles: 0 });
    expect((wrong.body as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(['days', 'maxFiles']);
  });
});
