import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { KeyUse } from '../../../src/modules/api-keys/api-key.resolver.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { aProject } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const KEYS = '/console/test/keys';
type Project = Awaited<ReturnType<typeof aProject>>;
const READS = { name: 'Month-end job', scopes: ['claim_projects:read'] };
const keyIn = (text: string): string => /pk_(?:test|live)_[0-9A-Za-z]{38}/.exec(text)![0];
const statusOf = async (key: string, path = '/v1/claim-projects'): Promise<number> => (await new Client(app.url, key).get(path)).status;

/** Creates a key by the form. */
async function made({ browser }: Visitor, fields: Record<string, string | readonly string[]> = READS, keys = KEYS) {
  const shown = await browser.fill(`${keys}/new`, fields);
  const id = /href="[^"]*\/keys\/([0-9a-f-]{36})"/.exec(shown.text)![1]!;
  return { shown, key: keyIn(shown.text), id, path: `${keys}/${id}` };
}

const auditOf = ({ organization }: Visitor, id: string) =>
  rowsOf<{ action: string }>(
    app.databaseUrl,
    'SELECT action, actor_id, environment FROM audit_entries WHERE organization_id = $1 AND resource_id = $2 ORDER BY occurred_at',
    [organization.id, id],
  );

describe('a new API key', () => {
  it('works at once, with the scopes that were chosen, and is in the audit log under the name of its maker', async () => {
    const visitor = await aVisitor(app);
    const { key, id } = await made(visitor);
    expect([await statusOf(key), await statusOf(key, '/v1/expense-categories')]).toEqual([200, 403]);
    expect(await auditOf(visitor, id)).toEqual([{ action: 'api_key.created', actor_id: visitor.user.id, environment: 'test' }]);
  });

  it('counts once, however often its form is sent, and shows the same key', async () => {
    const { browser } = await aVisitor(app);
    const form = await browser.visit(`${KEYS}/new`);
    const [first, second] = [await browser.send(form, READS), await browser.send(form, READS)];
    expect(keyIn(second.text)).toBe(keyIn(first.text));
    expect((await browser.visit(KEYS)).text.match(/Month-end job/g)).toHaveLength(1);
    const path = /href="([^"]*\/keys\/[0-9a-f-]{36})"/.exec(first.text)![1]!;
    const shown = await browser.visit(path);
    const [rotated, again] = [await browser.send(shown, {}, '/rotate'), await browser.send(shown, {}, '/rotate')];
    expect(keyIn(again.text)).toBe(keyIn(rotated.text));
  });

  it('is shown once, with a line that works, on a page that nothing keeps', async () => {
    const visitor = await aVisitor(app);
    const { shown, key, path } = await made(visitor);
    expect(textOf(shown.text)).toContain(`curl ${app.settings.publicUrl}/v1/auth/context -H 'X-API-Key: ${key}'`);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    for (const page of [KEYS, path, `${path}/edit`]) expect((await visitor.browser.visit(page)).text).not.toContain(key);
    expect((await visitor.browser.visit(KEYS)).text).toContain(`pk_test_…${key.slice(-4)}`);
  });

  it('can have all scopes, an expiry and an allowlist', async () => {
    const visitor = await aVisitor(app);
    const fields = { name: 'Everything', allScopes: 'yes', expiresIn: String(30 * 86_400_000), ipAllowlist: '10.0.0.0/8\n2001:db8::1' };
    const { key, id } = await made(visitor, fields);
    const [row] = await rowsOf<{ days: string; ip_allowlist: string[]; scopes: string[] }>(
      app.databaseUrl,
      'SELECT round(extract(epoch FROM expires_at - now()) / 86400) AS days, ip_allowlist, scopes FROM api_keys WHERE id = $1',
      [id],
    );
    expect([Number(row!.days), row!.ip_allowlist, row!.scopes.includes('webhooks:delete')]).toEqual([
      30,
      ['10.0.0.0/8', '2001:db8::1'],
      true,
    ]);
    expect(await statusOf(key)).toBe(403);
  });

  it('belongs to the environment of its page', async () => {
    const visitor = await aVisitor(app);
    const { key, id } = await made(visitor, READS, '/console/live/keys');
    expect(key).toMatch(/^pk_live_/);
    expect((await visitor.browser.visit(KEYS)).text).not.toContain(id);
    expect((await visitor.browser.visit(`${KEYS}/${id}`)).status).toBe(404);
  });

  const WRONG = [
    { field: 'name', fields: { ...READS, name: '' }, says: 'must have 1 to 200 characters' },
    { field: 'name', fields: { ...READS, name: 'NUL \u0000' }, says: 'has characters that cannot be stored' },
    { field: 'scopes', fields: { name: 'Month-end job' }, says: 'must have at least one' },
    { field: 'scopes', fields: { ...READS, scopes: ['everything:write'] }, says: 'contains everything:write' },
    { field: 'ipAllowlist', fields: { ...READS, ipAllowlist: '10.0.0.0/33' }, says: 'contains 10.0.0.0/33' },
    { field: 'ipAllowlist', fields: { ...READS, ipAllowlist: '10.0.0.1\n'.repeat(201) }, says: 'at most 200 addresses' },
    { field: 'expiresIn', fields: { ...READS, expiresIn: '-1' }, says: 'must be one of the choices' },
  ];
  it.each(WRONG)('is refused with a wrong $field: $says', async ({ fields, says }) => {
    const { browser, organization } = await aVisitor(app);
    const shown = await browser.fill(`${KEYS}/new`, fields);
    expect(shown.status).toBe(400);
    expect(textOf(shown.text)).toContain(says);
    if ('scopes' in fields && fields.scopes === READS.scopes) expect(shown.text).toMatch(/value="claim_projects:read" checked/);
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM api_keys WHERE organization_id = $1', [organization.id])).toEqual([]);
  });

  it('shows its name as the text that it is', async () => {
    const name = '<script>alert(1)</script>';
    const visitor = await aVisitor(app);
    const { path } = await made(visitor, { ...READS, name });
    for (const page of [KEYS, path, `${path}/edit`]) {
      const { text } = await visitor.browser.visit(page);
      expect(text).not.toContain('<script>alert');
      expect(textOf(text)).toContain(name);
    }
  });

  it('suggests the address of whoever makes it', async () => {
    const { browser } = await aVisitor(app);
    expect((await browser.visit(`${KEYS}/new`)).text).toContain('<code>127.0.0.1</code>');
  });
});

describe('the projects of an API key', () => {
  const projectsOf = async (path: string) =>
    (
      await rowsOf<{ ids: string[] | null }>(app.databaseUrl, 'SELECT project_ids AS ids FROM api_keys WHERE id = $1', [
        path.split('/').at(-1),
      ])
    )[0]!.ids;
  async function withProjects(count: number) {
    const visitor = await aVisitor(app);
    const api = new Client(app.url, (await aKey(app, visitor.organization.id)).key);
    const projects: { id: string; name: string }[] = [];
    for (let index = 0; index < count; index += 1) projects.push(await aProject(api));
    return { visitor, projects };
  }

  it('are chosen with it, shown, kept by other changes, and exchanged for all', async () => {
    const { visitor, projects } = await withProjects(3);
    const [first, second, third] = projects as [Project, Project, Project];
    const { path } = await made(visitor, { ...READS, projects: 'some', projectIds: [first.id, second.id] });
    const { text } = await visitor.browser.visit(path);
    for (const { id, name } of [first, second]) expect(text).toContain(`<a class="block" href="/console/test/projects/${id}">${name}</a>`);
    expect(text).not.toContain(third.name);
    await visitor.browser.fill(`${path}/edit`, { name: 'Renamed' });
    expect(await projectsOf(path)).toEqual([first.id, second.id]);
    await visitor.browser.fill(`${path}/edit`, { projectIds: [third.id] });
    expect(await projectsOf(path)).toEqual([third.id]);
    await visitor.browser.fill(`${path}/edit`, { projects: 'all', projectIds: [] });
    expect(await projectsOf(path)).toBeNull();
    expect((await visitor.browser.visit(path)).text).toContain('<dt>Projects</dt><dd>All projects</dd>');
  });

  it('are all at first, and neither a choice of all with some, nor of none, is taken for anything', async () => {
    const { visitor, projects } = await withProjects(1);
    const first = await visitor.browser.visit(`${KEYS}/new`);
    expect(first.text).toContain('<option value="all">All projects</option><option value="some">');
    for (const [fields, says] of [
      [{ projectIds: [projects[0]!.id] }, 'Projects must be left empty if all are chosen.'],
      [{ projects: 'some' }, 'Projects must be chosen, at least one.'],
      [{ projects: 'some', projectIds: [newId()] }, 'There is no claim project'],
    ] as const) {
      const refused = await visitor.browser.fill(`${KEYS}/new`, { ...READS, ...fields });
      expect([refused.status, textOf(refused.text)]).toEqual([400, expect.stringContaining(says)]);
      expect(refused.text).toContain('<details id="projectIds" open>');
    }
    expect(keyIn((await made(visitor)).shown.text)).toBeDefined();
  });

  it('can be named by their ids where there are more than the list has, also in capitals', async () => {
    const { visitor, projects } = await withProjects(1);
    const [{ id }] = projects as [Project];
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO claim_projects SELECT (jsonb_populate_record(one, newer)).* FROM claim_projects one, generate_series(1, 200) n,
        jsonb_build_object('id', 'f' || right(gen_random_uuid()::text, 35), 'unique_key', md5(n::text)) newer WHERE one.id = $1`,
      [id],
    );
    const form = await visitor.browser.visit(`${KEYS}/new`);
    expect(form.text).not.toContain(id);
    const { path } = await made(visitor, { ...READS, projects: 'some', otherProjectIds: ` ${id.toUpperCase()},` });
    expect(await projectsOf(path)).toEqual([id]);
    // What is chosen is in the list, whatever its age.
    expect((await visitor.browser.visit(`${path}/edit`)).text).toContain(`value="${id}" checked`);
  });

  it('are nothing to ask about where there is none', async () => {
    const { browser } = await aVisitor(app);
    expect((await browser.visit(`${KEYS}/new`)).text).not.toContain('<details id="projectIds"');
  });
});

describe('an API key', () => {
  it('can be changed: another name and fewer scopes', async () => {
    const visitor = await aVisitor(app);
    const { key, path, id } = await made(visitor, { ...READS, scopes: ['claim_projects:read', 'expense_categories:read'] });
    expect(await statusOf(key, '/v1/expense-categories')).toBe(200);
    const shown = await visitor.browser.fill(`${path}/edit`, { name: 'Renamed', scopes: ['claim_projects:read'] });
    expect(shown.text).toContain('The key was changed.');
    await eventually(async () => expect(await statusOf(key, '/v1/expense-categories')).toBe(403));
    expect((await auditOf(visitor, id)).map(({ action }) => action)).toEqual(['api_key.created', 'api_key.updated']);
  });

  it('can be rotated: both keys work for the overlap, and the new one is shown once', async () => {
    const visitor = await aVisitor(app);
    const { key, path } = await made(visitor);
    const shown = await visitor.browser.fill(path, { overlap: '3600000' }, '/rotate');
    const next = keyIn(shown.text);
    expect(next).not.toBe(key);
    expect([await statusOf(key), await statusOf(next)]).toEqual([200, 200]);
    const [row] = await rowsOf<{ minutes: string }>(
      app.databaseUrl,
      'SELECT round(extract(epoch FROM expires_at - now()) / 60) AS minutes FROM api_keys WHERE id = $1',
      [path.split('/').at(-1)],
    );
    expect(Number(row!.minutes)).toBe(60);
    expect((await visitor.browser.fill(path, { overlap: '99999999999' }, '/rotate')).status).toBe(400);
  });

  it('can be revoked, and then neither changed nor rotated', async () => {
    const visitor = await aVisitor(app);
    const { key, path } = await made(visitor);
    const shown = await visitor.browser.fill(path, {}, '/revoke');
    expect(shown.text).toContain('The key was revoked.');
    expect(shown.text).not.toMatch(/\/(rotate|revoke|edit)"/);
    await eventually(async () => expect(await statusOf(key)).toBe(401));
  });

  it('warns before it is revoked while it is in use', async () => {
    const visitor = await aVisitor(app);
    const { key, path } = await made(visitor);
    const warning = 'used within the last hour';
    expect((await visitor.browser.visit(path)).text).not.toContain(warning);
    await statusOf(key);
    const { text } = await eventually(async () => {
      // Does nothing while the service is writing by itself.
      await app.app.get(KeyUse).write();
      const shown = await visitor.browser.visit(path);
      expect(shown.text).toContain(warning);
      return shown;
    });
    expect(text).toContain('from 127.0.0.1');
    expect((await visitor.browser.visit(KEYS)).text).toContain('from 127.0.0.1');
  });

  it('of another organization is not there: it is neither shown nor changed', async () => {
    const visitor = await aVisitor(app);
    const stranger = await aVisitor(app);
    const { path, key } = await made(visitor);
    const own = await made(stranger);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.browser.visit(own.path)).text)![1]!;
    const fields = { csrf, ...READS, overlap: '0' };
    for (const page of [path, `${path}/edit`]) expect((await stranger.browser.visit(page)).status).toBe(404);
    for (const action of ['edit', 'rotate', 'revoke'])
      expect((await stranger.browser.visit(`${path}/${action}`, fields)).status, action).toBe(404);
    // Nor does an address with the other environment reach a key.
    for (const action of ['edit', 'rotate', 'revoke'])
      expect(
        (await visitor.browser.visit(`${path.replace('test', 'live')}/${action}`, { ...fields, csrf: await csrfOf(visitor) })).status,
      ).toBe(404);
    expect(await statusOf(key)).toBe(200);
    for (const id of [newId(), 'no-id']) expect((await visitor.browser.visit(`${KEYS}/${id}`)).status, id).toBe(404);
  });

  it('is nothing for a member', async () => {
    const owner = await aVisitor(app);
    const { path } = await made(owner);
    const { browser } = await aVisitorOf(app, owner.organization, { role: 'member' });
    for (const page of [KEYS, `${KEYS}/new`, path]) expect((await browser.visit(page)).status).toBe(403);
    const overview = await browser.visit('/console/test');
    expect(overview.text).not.toContain(KEYS);
  });
});

const csrfOf = async ({ browser }: Visitor): Promise<string> =>
  /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/test')).text)![1]!;

it('the first page asks for a key until one was used', async () => {
  const { browser, organization } = await aVisitor(app);
  const step = async (): Promise<string> =>
    /<li>(?:(?!<\/li>).)*Create an API key and use it/s.exec((await browser.visit('/console/test')).text)?.[0] ?? 'gone';
  const { key } = await aKey(app, organization.id);
  expect(await step()).toContain('To do');
  await statusOf(key);
  await app.app.get(KeyUse).write();
  expect(await step()).toMatch(/Done|gone/);
});

it('without a key, the list says what one is for', async () => {
  const { browser } = await aVisitor(app);
  expect((await browser.visit(KEYS)).text).toContain('Without one, no program can call the API.');
});
