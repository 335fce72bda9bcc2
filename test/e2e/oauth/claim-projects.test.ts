import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokenResolver } from '../../../src/modules/oauth/access-token.resolver.js';
import type { Environment } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { aDevice, answerDevice, poll } from '../../support/devices.js';
import { aPartner, ask, authorizeUrl, aVerifier, bearer, Browser, CALLBACK, challengeOf } from '../../support/oauth.js';
import { refusedAtCallback } from '../../support/oauth-answers.js';
import { Receiver } from '../../support/receiver.js';
import { aDocument, aMember, connect, LOCAL_DOCUMENTS, signInTo, token } from '../../support/shared-clients.js';

let app: TestApp;
let site: Receiver;
beforeAll(async () => {
  site = await Receiver.start();
  app = await startApp(LOCAL_DOCUMENTS);
});
afterAll(async () => {
  await app.close();
  await site.close();
});

type Partner = Awaited<ReturnType<typeof aPartner>>;

async function someProjects({ id }: { id: string }, names: readonly string[], environment: Environment = 'test'): Promise<string[]> {
  const { key } = await aKey(app, id, { environment });
  const year = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
  const made = names.map(
    async (name) => (await new Client(app.url, key).post('/v1/claim-projects', { name, ...year })).body as { id: string },
  );
  return (await Promise.all(made)).map((project) => project.id);
}

/** An application, and an organization with three projects. */
async function aFirm(wanted: Parameters<typeof aPartner>[1] = {}) {
  const partner = await aPartner(app, { plan: 'enterprise', ...wanted });
  return { partner, ids: await someProjects(partner.organization, ['Alps', 'Baltic', 'Crete']) };
}

const only = (...ids: string[]) => [{ type: 'claim_projects', project_ids: ids }];
const asking = (...ids: string[]) => ({ authorization_details: JSON.stringify(only(...ids)) });

const verifier = aVerifier();
const address = (partner: Partner, wanted: Record<string, string> = {}) =>
  authorizeUrl(app.url, partner, { code_challenge: challengeOf(verifier), ...wanted });

/** The consent page, after the sign-in. */
async function consentOf({ user }: Pick<Partner, 'user'>, at: string, browser = new Browser(app.url)) {
  const shown = await browser.visit(at);
  const { email, password } = user;
  return {
    browser,
    shown: shown.text.includes('name="password"') ? await browser.submit(shown, { do: 'sign-in', email, password }) : shown,
  };
}

type Details = { authorization_details?: unknown };

async function exchange(partner: Partner, { searchParams }: URL, wanted: Record<string, string> = {}) {
  const grant = { grant_type: 'authorization_code', code: searchParams.get('code') ?? '', redirect_uri: CALLBACK, code_verifier: verifier };
  const { body, text, status } = await ask(app, partner, { ...grant, ...wanted });
  expect(status, text).toBe(200);
  return body as typeof body & Details;
}

const refreshed = async (partner: Partner, refreshToken: string, wanted: Record<string, string> = {}) =>
  ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken, ...wanted });

/** Whom a call speaks for. */
async function projectsOf(accessToken: string) {
  const found = await app.app.get(AccessTokenResolver).resolve(accessToken);
  return (found as { projects?: readonly string[] }).projects;
}

const introspected = async (partner: Partner, accessToken: string) =>
  ((await ask(app, partner, { token: accessToken }, '/oauth/introspect')).body as Details).authorization_details;

const checkedIn = (text: string) => [...text.matchAll(/name="projectIds" value="([^"]+)" checked/g)].map(([, id]) => id);

describe('an application that asks for some claim projects', () => {
  it('reads in both metadata documents that it can', async () => {
    for (const path of ['oauth-authorization-server', 'oauth-protected-resource'])
      expect(await (await fetch(`${app.url}/.well-known/${path}`)).json()).toMatchObject({
        authorization_details_types_supported: ['claim_projects'],
      });
  });

  it('gets tokens for these: the answer, introspection and each refresh say so', async () => {
    const { partner, ids } = await aFirm();
    const [alps, baltic] = ids as [string, string];
    const { browser, shown } = await consentOf(partner, address(partner, asking(alps, baltic)));
    expect(shown.text).toContain('asks for these claim projects only');
    expect([checkedIn(shown.text).sort(), shown.text.includes('Crete')]).toEqual([[alps, baltic].sort(), false]);
    const tokens = await exchange(partner, (await browser.submit(shown, { do: 'allow' })).url);
    expect(tokens.authorization_details).toMatchObject([{ type: 'claim_projects' }]);
    const next = (await refreshed(partner, tokens.refresh_token!)).body as typeof tokens;
    for (const { access_token: accessToken } of [tokens, next]) {
      expect((await projectsOf(accessToken!))!.toSorted()).toEqual([alps, baltic].sort());
      expect(await introspected(partner, accessToken!)).toEqual(tokens.authorization_details);
    }
    expect(next.authorization_details).toEqual(tokens.authorization_details);
    const { key } = await aKey(app, partner.organization.id, { environment: 'live' });
    const audit = new Client(app.url, key);
    await expect
      .poll(async () => (await audit.get('/v1/audit/events?action_prefix=application.access_given')).body as unknown)
      .toMatchObject({ data: [{ changes: { projectIds: { to: expect.arrayContaining([alps, baltic]) as unknown } } }] });
  });

  it('gets fewer if the person leaves some out, and never others or all, whatever the form says', async () => {
    const { partner, ids } = await aFirm();
    const [alps, baltic, crete] = ids as [string, string, string];
    const { browser, shown } = await consentOf(partner, address(partner, asking(alps, baltic)));
    for (const [projects, ...projectIds] of [['all'], ['some', alps, crete], ['some'], ['some', 'x']] as string[][]) {
      const wrong = { projects: projects!, projectIds };
      const again = await browser.submit(shown, { do: 'allow', ...wrong });
      expect([again.status, again.text.includes('value="allow"')], JSON.stringify(wrong)).toEqual([400, true]);
    }
    const tokens = await exchange(partner, (await browser.submit(shown, { do: 'allow', projectIds: [alps] })).url);
    expect([tokens.authorization_details, await projectsOf(tokens.access_token!)]).toEqual([only(alps), [alps]]);
  });

  it('is told if the organization has no such project, or only in its other environment', async () => {
    const { partner, ids } = await aFirm();
    const [live] = await someProjects(partner.organization, ['Real'], 'live');
    for (const missing of [newId(), live!]) {
      const { browser, shown } = await consentOf(partner, address(partner, asking(ids[0]!, missing)));
      expect([shown.status, shown.text]).toEqual([
        403,
        expect.stringContaining('asks for claim projects that <strong>Example Accountants</strong> does not have'),
      ]);
      const back = await browser.submit(shown, { do: 'no_projects' });
      expect(back.url.searchParams.get('error')).toBe('invalid_authorization_details');
    }
  });

  it.each([
    ['no JSON', 'claim_projects'],
    ['another type', '[{"type":"claim_reports"}]'],
    ['no projects', '[{"type":"claim_projects"}]'],
    ['an empty list', '[{"type":"claim_projects","project_ids":[]}]'],
    ['what is no id', '[{"type":"claim_projects","project_ids":["all"]}]'],
    ['a field that is not known', `[{"type":"claim_projects","project_ids":["${newId()}"],"actions":["read"]}]`],
    ['two objects', JSON.stringify([...only(newId()), ...only(newId())])],
    ['more than 100', JSON.stringify(only(...Array.from({ length: 101 }, newId)))],
  ])('is refused with %s, wherever it asks', async (_what, details) => {
    const partner = await aPartner(app, { grants: ['authorization_code', 'client_credentials', 'device_code'] });
    const wrong = { authorization_details: details };
    const request = Object.fromEntries(new URL(address(partner, wrong)).searchParams);
    const answers = await Promise.all([
      ask(app, partner, request, '/oauth/par'),
      ask(app, partner, wrong, '/oauth/device_authorization'),
      ask(app, partner, { grant_type: 'client_credentials', ...wrong }),
    ]);
    for (const { status, body } of answers) expect([status, body.error]).toEqual([400, 'invalid_authorization_details']);
    if (address(partner, wrong).length < 4096)
      expect(await refusedAtCallback(address(partner, wrong))).toMatchObject({ error: 'invalid_authorization_details' });
  });

  it('asks by a pushed request, which has room for 100', async () => {
    const { partner, ids } = await aFirm();
    const request = Object.fromEntries(new URL(address(partner, asking(ids[0]!))).searchParams);
    const { body } = await ask(app, partner, request, '/oauth/par');
    const at = new URL('/oauth/authorize', app.url);
    at.search = new URLSearchParams({ client_id: partner.application.clientId, request_uri: body.request_uri! }).toString();
    const { browser, shown } = await consentOf(partner, at.href);
    const tokens = await exchange(partner, (await browser.submit(shown, { do: 'allow' })).url);
    expect(await projectsOf(tokens.access_token!)).toEqual([ids[0]]);
    const many = asking(...Array.from({ length: 100 }, newId));
    expect((await ask(app, partner, { ...request, ...many }, '/oauth/par')).status).toBe(201);
  });

  it('asks for a device', async () => {
    const { partner, ids } = await aFirm({ grants: ['device_code'], redirectUris: [], isPublic: true });
    const { userCode, deviceCode } = await aDevice(app, partner, asking(ids[1]!));
    await answerDevice(app, partner, userCode);
    const { body } = await poll(app, partner, deviceCode);
    expect([(body as Details).authorization_details, await projectsOf(body.access_token!)]).toEqual([only(ids[1]!), [ids[1]]]);
    const next = await refreshed(partner, body.refresh_token!);
    expect(await projectsOf(next.body.access_token!)).toEqual([ids[1]]);
  });

  it('asks for itself, where no person is asked, for projects that are there', async () => {
    const { partner, ids } = await aFirm();
    const grant = { grant_type: 'client_credentials', scope: 'claim_projects:read' };
    const { body } = await ask(app, partner, { ...grant, ...asking(ids[2]!) });
    expect([(body as Details).authorization_details, await projectsOf(body.access_token!)]).toEqual([only(ids[2]!), [ids[2]]]);
    expect(await introspected(partner, body.access_token!)).toEqual(only(ids[2]!));
    expect((await ask(app, partner, { ...grant, ...asking(newId()) })).body.error).toBe('invalid_authorization_details');
    expect(await projectsOf((await ask(app, partner, grant)).body.access_token!)).toBeUndefined();
  });
});

describe('a token for some claim projects', () => {
  it('calls the API as any credential for some does: others are not there, and the organization as a whole is refused', async () => {
    const { partner, ids } = await aFirm({ role: 'admin' });
    const wanted = { scope: 'claim_projects:read usage:read', ...asking(ids[0]!) };
    const { browser, shown } = await consentOf(partner, address(partner, wanted));
    const { access_token: accessToken } = await exchange(partner, (await browser.submit(shown, { do: 'allow' })).url);
    const answers = [
      '/v1/claim-projects',
      `/v1/claim-projects/${ids[0]}`,
      `/v1/claim-projects/${ids[1]}`,
      '/v1/usage',
      '/v1/auth/context',
    ].map((path) => bearer(app, accessToken!, path).then(async (answer) => [answer.status, await answer.json()] as const));
    const [list, own, other, usage, context] = await Promise.all(answers);
    expect([list![1], own![0], other![0], usage!]).toMatchObject([
      { data: [{ id: ids[0] }] },
      200,
      404,
      [403, { code: 'bound_to_projects' }],
    ]);
    expect(context![1]).toMatchObject({ credential: { projectIds: [ids[0]] } });
  });

  it('is narrowed by the request for it, as by scopes, and never widened', async () => {
    const { partner, ids } = await aFirm();
    const [alps, baltic, crete] = ids as [string, string, string];
    const { browser, shown } = await consentOf(partner, address(partner, asking(alps, baltic)));
    const first = await exchange(partner, (await browser.submit(shown, { do: 'allow' })).url, asking(alps));
    expect(await projectsOf(first.access_token!)).toEqual([alps]);
    const wide = await refreshed(partner, first.refresh_token!);
    expect((await projectsOf(wide.body.access_token!))!.toSorted()).toEqual([alps, baltic].sort());
    const wider = await refreshed(partner, wide.body.refresh_token!, asking(baltic, crete));
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_authorization_details']);
  });

  it('of a consent to all is narrowed to projects that are there', async () => {
    const { partner, ids } = await aFirm();
    const { browser, shown } = await consentOf(partner, address(partner));
    const all = await exchange(partner, (await browser.submit(shown, { do: 'allow' })).url);
    expect([all.authorization_details, await projectsOf(all.access_token!)]).toEqual([undefined, undefined]);
    const some = await refreshed(partner, all.refresh_token!, asking(ids[0]!));
    expect(await projectsOf(some.body.access_token!)).toEqual([ids[0]]);
    const none = await refreshed(partner, some.body.refresh_token!, asking(newId()));
    expect(none.body.error).toBe('invalid_authorization_details');
  });
});

describe('a person', () => {
  it('chooses all projects or some, whatever the application asks; with the id of one that is not listed, too', async () => {
    const { partner, ids } = await aFirm();
    const { browser, shown } = await consentOf(partner, address(partner));
    expect(shown.text).toContain('Only these projects');
    for (const name of ['Alps', 'Baltic', 'Crete']) expect(shown.text).toContain(name);
    const none = await browser.submit(shown, { do: 'allow', projects: 'some' });
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('value="allow"')]);
    const unknown = await browser.submit(none, { do: 'allow', projects: 'some', otherProjectIds: newId() });
    expect([unknown.status, unknown.text.includes('id="projectIds-error"')]).toEqual([400, true]);
    const chosen = { projects: 'some', projectIds: [ids[0]!], otherProjectIds: ids[1]!.toUpperCase() };
    const tokens = await exchange(partner, (await browser.submit(unknown, { do: 'allow', ...chosen })).url);
    expect((await projectsOf(tokens.access_token!))!.toSorted()).toEqual([ids[0]!, ids[1]!].sort());
  });

  it('chooses anew with a new question: the earlier choice is shown, and its refresh tokens end', async () => {
    const { partner, ids } = await aFirm();
    const scopes = { scope: 'claim_projects:read usage:read' };
    const { browser, shown } = await consentOf(partner, address(partner, scopes));
    const given = { do: 'allow', scope: ['claim_projects:read'], projects: 'some', projectIds: [ids[0]!] };
    const first = await exchange(partner, (await browser.submit(shown, given)).url);
    // Without a question, the choice holds.
    const silent = await exchange(partner, (await browser.visit(address(partner, scopes))).url);
    expect(await projectsOf(silent.access_token!)).toEqual([ids[0]]);
    const { shown: again } = await consentOf(partner, address(partner, { ...scopes, prompt: 'consent' }), browser);
    expect(checkedIn(again.text)).toEqual([ids[0]]);
    const second = await exchange(partner, (await browser.submit(again, { do: 'allow', projects: 'all', projectIds: [] })).url);
    expect([await projectsOf(second.access_token!), second.scope]).toEqual([undefined, 'claim_projects:read']);
    for (const { refresh_token: old } of [first, silent])
      expect((await refreshed(partner, old!)).body).toMatchObject({ error: 'invalid_grant' });
    // What was left out stays left out when an application asks for other projects.
    const { shown: asked } = await consentOf(partner, address(partner, { ...scopes, ...asking(ids[1]!) }), browser);
    const third = await exchange(partner, (await browser.submit(asked, { do: 'allow' })).url);
    expect([await projectsOf(third.access_token!), third.scope]).toEqual([[ids[1]], 'claim_projects:read']);
    expect((await refreshed(partner, second.refresh_token!)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('sees at their connections, and in the console, which projects an application reaches, and ends it', async () => {
    const { partner, ids } = await aFirm({ role: 'admin' });
    const { browser, shown } = await consentOf(partner, address(partner, asking(ids[0]!, ids[2]!)));
    const tokens = await exchange(partner, (await browser.submit(shown, { do: 'allow' })).url);
    const list = await browser.visit('/oauth/connections');
    expect(list.text).toMatch(/(Alps, Crete|Crete, Alps)/);
    expect(list.text).not.toContain('Baltic');
    const console = await browser.visit('/console/test/connections');
    expect(console.text).toContain('2 projects');
    expect(console.text).toContain(`/console/test/projects/${ids[0]}`);
    await browser.submit(list, { do: 'remove', application: partner.application.id });
    await expect
      .poll(() => ask(app, partner, { token: tokens.access_token! }, '/oauth/introspect'))
      .toMatchObject({ body: { active: false } });
  });
});

describe('an application that serves every organization', () => {
  it('is given projects of the environment that the person chooses, and of no other', async () => {
    const { organization, user } = await aMember(app);
    const [mine] = await someProjects(organization, ['Alps']);
    const [live] = await someProjects(organization, ['Real'], 'live');
    const clientId = aDocument(site);
    const { browser, shown } = await signInTo(app, clientId, user, { code_challenge: challengeOf(verifier) });
    for (const label of ['Alps · Test: no real data', 'Real · Live: real data']) expect(shown.text).toContain(label);
    const mixed = await browser.submit(shown, { do: 'allow:test', projects: 'some', projectIds: [live!] });
    expect(mixed.status).toBe(400);
    const back = await browser.submit(shown, { do: 'allow:test', projects: 'some', projectIds: [mine!] });
    const code = back.url.searchParams.get('code')!;
    const grant = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };
    const { body } = await token(app, { ...grant, redirect_uri: 'http://127.0.0.1:7777/callback' });
    expect(await projectsOf(body.access_token!)).toEqual([mine]);
    const rows = await rowsOf<{ rar: unknown }>(
      app.databaseUrl,
      `SELECT payload -> 'rar' AS rar FROM oauth_records WHERE user_id = $1 AND kind IN ('Grant', 'RefreshToken')`,
      [user.id],
    );
    expect(rows.map(({ rar }) => rar)).toEqual([only(mine!), only(mine!)]);
  });

  it('that asks for projects can be given only the environment that has them', async () => {
    const { organization, user } = await aMember(app);
    const [live] = await someProjects(organization, ['Real'], 'live');
    const clientId = aDocument(site);
    const { shown } = await signInTo(app, clientId, user, asking(live!));
    expect([shown.text.includes('allow:live'), shown.text.includes('allow:test')]).toEqual([true, false]);
    const { accessToken } = await connect(app, clientId, user, { environment: 'live', ...asking(live!) });
    expect(await projectsOf(accessToken)).toEqual([live]);
    const { shown: refused } = await signInTo(app, clientId, user, asking(newId()));
    expect([refused.status, refused.text.includes('does not have')]).toEqual([403, true]);
  });
});
