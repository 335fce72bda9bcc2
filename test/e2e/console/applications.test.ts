import { exportPKCS8, exportSPKI } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anAssertion, askWith } from '../../support/assertions.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { aKey as aSigningKey } from '../../support/dpop.js';
import { eventually } from '../../support/eventually.js';
import { anApplication, ask, CALLBACK } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const APPLICATIONS = '/console/test/applications';
const FIELDS = {
  name: 'Month-end sync',
  kind: 'confidential',
  grants: ['authorization_code', 'client_credentials'],
  redirectUris: `${CALLBACK}\nhttp://localhost:4000/back`,
  scopes: ['claim_projects:read'],
};
const PUBLIC = { ...FIELDS, kind: 'public', grants: ['authorization_code'] };
const ACTIONS = ['edit', 'approve', 'suspend', 'rotate-secret', 'keys'];

type Fields = Record<string, string | readonly string[]>;
const secretIn = (text: string): string => /cs_[\w-]{43}/.exec(text)?.[0] ?? 'none';
const clientIdIn = (text: string): string => /app_[\w-]{20}/.exec(text)![0];

/** Registers an application by the form. */
async function registered({ browser }: Visitor, fields: Fields = FIELDS, applications = APPLICATIONS) {
  const shown = await browser.fill(`${applications}/new`, fields);
  const id = /\/applications\/([0-9a-f-]{36})/.exec(shown.url.pathname + shown.text)![1]!;
  const application = { id, clientId: clientIdIn(shown.text), clientSecret: secretIn(shown.text) };
  return { shown, id, application, path: `${applications}/${id}` };
}

const rowOf = async (id: string) =>
  (
    await rowsOf<Record<string, unknown>>(
      app.databaseUrl,
      `SELECT name, is_public, grants, redirect_uris, scopes, status, held_by_operator, environment FROM oauth_applications WHERE id = $1`,
      [id],
    )
  )[0];
const countOf = async ({ organization }: Visitor) =>
  (await rowsOf(app.databaseUrl, 'SELECT 1 FROM oauth_applications WHERE organization_id = $1', [organization.id])).length;
const auditOf = ({ organization }: Visitor, id: string) =>
  rowsOf<{ action: string; actor_id: string; environment: string }>(
    app.databaseUrl,
    'SELECT action, actor_id, environment FROM audit_entries WHERE organization_id = $1 AND resource_id = $2 ORDER BY ordinal',
    [organization.id, id],
  );
const csrfOf = async ({ browser }: Visitor): Promise<string> =>
  /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/test')).text)![1]!;
const statusOf = async (application: { id: string; clientId: string; clientSecret: string }) =>
  (await ask(app, { application }, { grant_type: 'client_credentials' })).status;
const operator = () => app.app.get(ApplicationsService);

describe('registering an application', () => {
  it('gives it a secret that works at once, and the audit log names who did it', async () => {
    const visitor = await aVisitor(app, { role: 'admin' });
    const { id, application } = await registered(visitor);
    expect(await rowOf(id)).toEqual({
      name: FIELDS.name,
      is_public: false,
      grants: FIELDS.grants,
      redirect_uris: [CALLBACK, 'http://localhost:4000/back'],
      scopes: FIELDS.scopes,
      status: 'approved',
      held_by_operator: false,
      environment: 'test',
    });
    const { status, body } = await ask(app, { application }, { grant_type: 'client_credentials' });
    expect([status, body.scope]).toEqual([200, 'claim_projects:read']);
    expect(await auditOf(visitor, id)).toEqual([{ action: 'application.created', actor_id: visitor.user.id, environment: 'test' }]);
  });

  it('shows the secret once, on a page that nothing keeps', async () => {
    const visitor = await aVisitor(app);
    const { shown, application, path } = await registered(visitor);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    for (const page of [APPLICATIONS, path, `${path}/edit`])
      expect((await visitor.browser.visit(page)).text).not.toContain(application.clientSecret);
    expect((await visitor.browser.visit(path)).text).toContain(`…${application.clientSecret.slice(-4)}`);
  });

  it('counts once, however often its button is pressed, and shows the same secret', async () => {
    const visitor = await aVisitor(app);
    const form = await visitor.browser.visit(`${APPLICATIONS}/new`);
    const answers = await Promise.all([visitor.browser.send(form, FIELDS), visitor.browser.send(form, FIELDS)]);
    expect(secretIn(answers[0].text)).toMatch(/^cs_/);
    expect(secretIn(answers[1].text)).toBe(secretIn(answers[0].text));
    expect(await countOf(visitor)).toBe(1);
  });

  it('can be for a public application, which has no secret, and with all scopes', async () => {
    const visitor = await aVisitor(app);
    const { shown, id, path } = await registered(visitor, { ...PUBLIC, scopes: [], allScopes: 'yes' });
    expect([shown.url.pathname, shown.text]).toEqual([path, expect.stringContaining('Month-end sync was registered.')]);
    expect(shown.text).not.toMatch(new RegExp(`${id}/(rotate-secret|keys)`));
    const row = await rowOf(id);
    expect([row!.is_public, row!.scopes]).toEqual([true, expect.arrayContaining(['webhooks:write', 'usage:read'])]);
  });

  it('can be with a public key, by which it authenticates', async () => {
    const visitor = await aVisitor(app);
    const key = await aSigningKey();
    const { shown, application } = await registered(visitor, { ...FIELDS, publicKeys: await exportSPKI(key.publicKey) });
    expect([secretIn(shown.text), shown.text]).toEqual(['none', expect.stringContaining('Confidential, with a key')]);
    const assertion = await anAssertion(app, { application, key });
    expect((await askWith(app, application, { grant_type: 'client_credentials', ...assertion })).status).toBe(200);
  });

  it('can be by FAPI 2.0, with keys that it publishes; without keys the form says what is missing', async () => {
    const visitor = await aVisitor(app);
    const wanted = { ...FIELDS, redirectUris: CALLBACK, securityRules: ['fapi2'] };
    const refused = await visitor.browser.fill(`${APPLICATIONS}/new`, wanted);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('public keys')]);
    const { shown, path } = await registered(visitor, { ...wanted, publicKeys: 'https://bank.example.com/keys.json' });
    expect(shown.text).toContain('All of FAPI 2.0');
    expect(shown.text).toContain('https://bank.example.com/keys.json');
    await visitor.browser.fill(`${path}/edit`, { ...wanted, securityRules: ['dpop_bound_access_tokens'] });
    const { text: changed } = await visitor.browser.visit(path);
    expect([changed.includes('All of FAPI 2.0'), changed.includes('bound to a key (DPoP)')]).toEqual([false, true]);
  });

  it('can wait for an approval, which an admin gives', async () => {
    const visitor = await aVisitor(app);
    const { application, path } = await registered(visitor, { ...FIELDS, isPending: 'yes' });
    expect(await statusOf(application)).toBe(401);
    expect((await visitor.browser.visit(path)).text).toContain('It gets no access until it is approved.');
    const shown = await visitor.browser.fill(path, {}, '/approve');
    expect(shown.text).toContain('Month-end sync is approved.');
    await eventually(async () => expect(await statusOf(application)).toBe(200));
  });

  it('belongs to the environment of its page', async () => {
    const visitor = await aVisitor(app);
    const { id } = await registered(visitor, { ...FIELDS, redirectUris: CALLBACK }, '/console/live/applications');
    expect(await rowOf(id)).toMatchObject({ environment: 'live' });
    expect((await visitor.browser.visit(APPLICATIONS)).text).not.toContain(id);
    expect((await visitor.browser.visit(`${APPLICATIONS}/${id}`)).status).toBe(404);
  });

  const WRONG: readonly { readonly fields: Fields; readonly says: string }[] = [
    { fields: { name: '' }, says: 'must have 1 to 200 characters' },
    { fields: { name: 'NUL \u0000' }, says: 'must have 1 to 200 characters' },
    { fields: { kind: 'secret' }, says: 'must be one of the choices' },
    { fields: { grants: [] }, says: 'must be one or more of' },
    { fields: { grants: ['password'] }, says: 'must be one or more of' },
    { fields: { kind: 'public' }, says: 'must not contain client_credentials' },
    { fields: { redirectUris: '' }, says: 'must be given for authorization_code' },
    { fields: { redirectUris: 'http://partner.example.com/#x' }, says: 'must not have a fragment' },
    { fields: { redirectUris: Array.from({ length: 21 }, (_, index) => `${CALLBACK}/${index}`).join(' ') }, says: 'at most 20 addresses' },
    { fields: { scopes: [] }, says: 'must have at least one' },
    { fields: { scopes: ['everything:write'] }, says: 'contains everything:write' },
    { fields: { publicKeys: 'no key' }, says: 'must be a public key' },
  ];
  it.each(WRONG)('is refused at its field, and keeps the rest: $fields', async ({ fields, says }) => {
    const visitor = await aVisitor(app);
    const shown = await visitor.browser.fill(`${APPLICATIONS}/new`, { ...FIELDS, ...fields });
    expect([shown.status, textOf(shown.text)]).toEqual([400, expect.stringContaining(says)]);
    const [field] = Object.keys(fields);
    // At a group of boxes it stands above them, and belongs to none.
    if (!['grants', 'scopes'].includes(field!) && says !== 'must not contain client_credentials')
      expect(shown.text).toContain(`id="${field}-error"`);
    if (!('redirectUris' in fields)) expect(shown.text).toContain(CALLBACK);
    if (!('scopes' in fields)) expect(shown.text).toMatch(/value="claim_projects:read" checked/);
    expect(await countOf(visitor)).toBe(0);
  });

  it('never shows a private key that somebody pasted, except where they typed it', async () => {
    const visitor = await aVisitor(app);
    const key = await aSigningKey();
    const shown = await visitor.browser.fill(`${APPLICATIONS}/new`, { ...FIELDS, publicKeys: await exportPKCS8(key.privateKey) });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('is a private key')]);
    expect(shown.text.match(/BEGIN PRIVATE KEY/g)).toHaveLength(1);
  });

  it('shows its texts as the texts that they are', async () => {
    const name = '<script>alert(1)</script>';
    const visitor = await aVisitor(app);
    const { path } = await registered(visitor, { ...FIELDS, name });
    for (const page of [APPLICATIONS, path, `${path}/edit`]) {
      const { text } = await visitor.browser.visit(page);
      expect(text).not.toContain('<script>alert');
      expect(textOf(text)).toContain(name);
    }
  });
});

describe('an application', () => {
  it('can be changed: its name, redirect addresses, grants and scopes', async () => {
    const visitor = await aVisitor(app);
    const { id, path } = await registered(visitor);
    const fields = { name: 'Renamed', redirectUris: '', grants: ['client_credentials'], scopes: ['usage:read'] };
    expect((await visitor.browser.fill(`${path}/edit`, fields)).text).toContain('The application was changed.');
    expect(await rowOf(id)).toMatchObject({ name: 'Renamed', redirect_uris: [], grants: ['client_credentials'], scopes: ['usage:read'] });
    const wrong = await visitor.browser.fill(`${path}/edit`, { name: 'Kept', redirectUris: CALLBACK });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('value="Kept"')]);
    await visitor.browser.fill(`${path}/edit`, {});
    expect((await auditOf(visitor, id)).map(({ action }) => action)).toEqual(['application.created', 'application.updated']);
  });

  it('can be suspended and approved again, everywhere within a second', async () => {
    const visitor = await aVisitor(app, { role: 'admin' });
    const { application, path, id } = await registered(visitor);
    expect((await visitor.browser.fill(path, {}, '/suspend')).text).toContain('Month-end sync is suspended.');
    await eventually(async () => expect(await statusOf(application)).toBe(401));
    expect((await visitor.browser.fill(path, {}, '/approve')).text).toContain('Month-end sync is approved.');
    await eventually(async () => expect(await statusOf(application)).toBe(200));
    expect((await auditOf(visitor, id)).map(({ action }) => action)).toEqual([
      'application.created',
      'application.suspended',
      'application.approved',
    ]);
  });

  it('can get a new secret, and the old one works for the overlap', async () => {
    const visitor = await aVisitor(app);
    const { application, path } = await registered(visitor);
    const shown = await visitor.browser.fill(path, { overlap: '3600000' }, '/rotate-secret');
    const next = { ...application, clientSecret: secretIn(shown.text) };
    expect(next.clientSecret).not.toBe(application.clientSecret);
    await eventually(async () => expect([await statusOf(application), await statusOf(next)]).toEqual([200, 200]));
    expect((await visitor.browser.visit(path)).text).toContain('Previous secret works until');
    expect((await visitor.browser.fill(path, { overlap: '99999999999' }, '/rotate-secret')).status).toBe(400);
  });

  it('gets one new secret from one form, so that the old one keeps its overlap', async () => {
    const visitor = await aVisitor(app);
    const { application, path } = await registered(visitor);
    const form = await visitor.browser.visit(path);
    const answers = await Promise.all([1, 2].map(() => visitor.browser.send(form, {}, '/rotate-secret')));
    expect(new Set(answers.map(({ text }) => secretIn(text))).size).toBe(1);
    await eventually(async () => expect(await statusOf({ ...application, clientSecret: secretIn(answers[0]!.text) })).toBe(200));
    expect(await statusOf(application)).toBe(200);
  });

  it('can get a public key instead of its secret; a wrong one is shown again', async () => {
    const visitor = await aVisitor(app);
    const { application, path } = await registered(visitor);
    const wrong = await visitor.browser.fill(path, { publicKeys: 'no key' }, '/keys');
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringMatching(/must be a public key.*no key<\/textarea>|no key<\/textarea>.*must be/s),
    ]);
    const key = await aSigningKey();
    const shown = await visitor.browser.send(wrong, { publicKeys: await exportSPKI(key.publicKey) });
    expect(shown.text).toContain('Confidential, with a key');
    expect(shown.text).not.toContain('rotate-secret');
    await eventually(async () => expect(await statusOf(application)).toBe(401));
  });

  it('of another organization or environment is not there: it is neither shown nor changed', async () => {
    const [visitor, stranger] = [await aVisitor(app), await aVisitor(app)];
    const { path, id } = await registered(visitor);
    const before = await rowOf(id);
    const tries = [
      [stranger, path],
      [visitor, path.replace('/test/', '/live/')],
    ] as const;
    for (const [who, at] of tries) {
      for (const page of [at, `${at}/edit`]) expect((await who.browser.visit(page)).status, page).toBe(404);
      const fields = { csrf: await csrfOf(who), ...FIELDS, name: 'Taken', overlap: '0', publicKeys: 'x', once: newId() };
      for (const action of ACTIONS) expect((await who.browser.visit(`${at}/${action}`, fields)).status, action).toBe(404);
    }
    expect((await stranger.browser.visit(APPLICATIONS)).text).not.toContain(id);
    expect(await rowOf(id)).toEqual(before);
    expect(await auditOf(visitor, id)).toHaveLength(1);
    for (const unknown of [newId(), 'no-id']) expect((await visitor.browser.visit(`${APPLICATIONS}/${unknown}`)).status).toBe(404);
  });

  it('is nothing for a member', async () => {
    const owner = await aVisitor(app);
    const { path, id } = await registered(owner);
    const member = await aVisitorOf(app, owner.organization, { role: 'member' });
    for (const page of [APPLICATIONS, `${APPLICATIONS}/new`, path, `${path}/edit`])
      expect((await member.browser.visit(page)).status, page).toBe(403);
    const fields = { csrf: await csrfOf(member), ...FIELDS, overlap: '0' };
    for (const action of ACTIONS) expect((await member.browser.visit(`${path}/${action}`, fields)).status, action).toBe(403);
    expect((await member.browser.visit(`${APPLICATIONS}/new`, fields)).status).toBe(403);
    expect((await member.browser.visit('/console/test')).text).not.toContain(APPLICATIONS);
    expect(await auditOf(owner, id)).toHaveLength(1);
  });

  it('changes nothing without the token of its form', async () => {
    const visitor = await aVisitor(app);
    const { path, id } = await registered(visitor);
    for (const action of ACTIONS) expect((await visitor.browser.visit(`${path}/${action}`, { csrf: 'wrong' })).status, action).toBe(403);
    expect(await auditOf(visitor, id)).toHaveLength(1);
  });
});

describe('what the operator decides', () => {
  it.each(['suspended', 'pending'] as const)(
    'stays: an application that is %s by the operator, the organization cannot approve',
    async (status) => {
      const visitor = await aVisitor(app);
      const { id } = await anApplication(app, visitor.organization.id, { isPending: status === 'pending' });
      if (status === 'suspended') await operator().setStatus(OPERATOR, id, status);
      const path = `${APPLICATIONS}/${id}`;
      const { text } = await visitor.browser.visit(path);
      expect(text).toContain('Only the operator of the service can approve it.');
      expect(text).not.toMatch(/\/(approve|suspend)"/);
      for (const action of ['suspend', 'approve'])
        expect((await visitor.browser.visit(`${path}/${action}`, { csrf: await csrfOf(visitor) })).status, action).toBe(403);
      expect(await rowOf(id)).toMatchObject({ status, held_by_operator: true });
      await operator().setStatus(OPERATOR, id, 'approved');
      expect((await visitor.browser.fill(path, {}, '/suspend')).text).toContain('is suspended.');
      expect((await visitor.browser.fill(path, {}, '/approve')).text).toContain('is approved.');
    },
  );

  it('counts over what the organization has suspended itself', async () => {
    const visitor = await aVisitor(app);
    const { id, path } = await registered(visitor);
    await visitor.browser.fill(path, {}, '/suspend');
    await operator().setStatus(OPERATOR, id, 'suspended');
    expect((await visitor.browser.visit(`${path}/approve`, { csrf: await csrfOf(visitor) })).status).toBe(403);
    expect(await rowOf(id)).toMatchObject({ status: 'suspended', held_by_operator: true });
  });
});

it('an environment without applications says so', async () => {
  const { browser } = await aVisitor(app);
  expect((await browser.visit(APPLICATIONS)).text).toContain('There is no application for the test data yet.');
});
