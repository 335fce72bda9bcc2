import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsersService } from '../../../src/modules/users/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import type { UserRole } from '../../../src/kernel/roles.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aDevice, answerDevice, poll } from '../../support/devices.js';
import { eventually } from '../../support/eventually.js';
import { aPartner, ask, authorizeUrl, aVerifier, bearer, Browser, CALLBACK, challengeOf, tokensOf } from '../../support/oauth.js';
import { Receiver } from '../../support/receiver.js';
import { aDocument, aMember, aUserOf, connect, LOCAL_DOCUMENTS, refresh, signInTo, textOf } from '../../support/shared-clients.js';
import { callTool, connectTools, namesOf } from '../../support/tools.js';

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

/** Changes take effect within a second. The rest is slack for a busy machine. */
const SOON_MS = 1500;
const VERIFIER = aVerifier();
const PKCE = { code_challenge: challengeOf(VERIFIER) };
const AUDIT = '/v1/audit/events';
const ABOVE_A_MEMBER = ['audit:read', 'webhooks:delete', 'webhooks:write'];
const WEBHOOK = { name: 'Mine', targetUrl: 'https://elsewhere.example/take', subscribedEvents: ['claim_project.created'] };

const setRole = (id: string, role: UserRole) => app.app.get(UsersService).changeRole(OPERATOR, id, role);
const listOf = (scope: string | undefined): string[] => (scope ?? '').split(' ').filter(Boolean);
const aboveAMember = (scope: string | undefined): string[] => ABOVE_A_MEMBER.filter((one) => listOf(scope).includes(one));
const codeOf = async (answer: Response) => `${answer.status} ${((await answer.json()) as { code?: string }).code}`;

async function inForce(token: string) {
  const { credential, user } = (await (await bearer(app, token, '/v1/auth/context')).json()) as {
    credential: { scopes: string[] };
    user: { role: UserRole } | null;
  };
  return { above: aboveAMember(credential.scopes.join(' ')), role: user?.role };
}

const createWebhook = (token: string) =>
  fetch(new URL('/v1/webhooks', app.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': newId(), 'content-type': 'application/json' },
    body: JSON.stringify(WEBHOOK),
  });

describe('a member', () => {
  it('did not become an admin by the shipped "Command line" application: it made webhooks to foreign addresses for them', async () => {
    const commandLine = { name: 'Command line', grants: ['device_code' as const], redirectUris: [], isPublic: true };
    const partner = await aPartner(app, { ...commandLine, environment: 'live', plan: 'enterprise' });
    const { userCode, deviceCode } = await aDevice(app, partner);
    await answerDevice(app, partner, userCode);
    const { status, body, text } = await poll(app, partner, deviceCode);
    expect(status, text).toBe(200);
    expect(listOf(body.scope)).toEqual(expect.arrayContaining(['claim_projects:write', 'webhooks:read']));
    expect(aboveAMember(body.scope)).toEqual([]);
    expect(await codeOf(await createWebhook(body.access_token!))).toBe('403 role_required');
    expect(await codeOf(await bearer(app, body.access_token!, AUDIT))).toBe('403 role_required');
    expect(await inForce(body.access_token!)).toEqual({ above: [], role: 'member' });
  });

  it('sees at the consent what their role does not allow, and why; no form grants it', async () => {
    const partner = await aPartner(app, { plan: 'enterprise' });
    const browser = new Browser(app.url);
    const scope = 'claim_projects:read audit:read webhooks:write';
    const { email, password } = partner.user;
    const consent = await browser.submit(await browser.visit(authorizeUrl(app.url, partner, { scope, ...PKCE })), {
      do: 'sign-in',
      email,
      password,
    });
    expect(consent.text).toContain('value="claim_projects:read" checked');
    expect(consent.text.match(/type="checkbox" name="scope" value="(audit:read|webhooks:write)" disabled/g)).toHaveLength(2);
    expect(consent.text).toContain('This takes the role admin. Yours is member.');
    const forged = await browser.submit(consent, { do: 'allow', scope: scope.split(' ') });
    expect(forged.url.href.startsWith(CALLBACK), textOf(forged)).toBe(true);
    const code = forged.url.searchParams.get('code')!;
    const { body } = await ask(app, partner, { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER });
    expect(body.scope).toBe('claim_projects:read');
  });

  it('can only refuse an application that asks for nothing else', async () => {
    const partner = await aPartner(app);
    const browser = new Browser(app.url);
    const { email, password } = partner.user;
    const shown = await browser.visit(authorizeUrl(app.url, partner, { scope: 'audit:read' }));
    const consent = await browser.submit(shown, { do: 'sign-in', email, password });
    expect(consent.text).not.toContain('value="allow"');
    expect((await browser.submit(consent, { do: 'allow', scope: 'audit:read' })).url.origin).toBe(app.url);
    const refused = await browser.submit(consent, { do: 'refuse' });
    expect(refused.url.searchParams.get('error')).toBe('access_denied');
  });

  it('gets no more by a shared application that an owner has connected', async () => {
    const { organization, user: owner } = await aMember(app);
    const clientId = aDocument(site);
    const wanted = { scope: 'claim_projects:read audit:read webhooks:write' };
    expect(aboveAMember((await connect(app, clientId, owner, wanted)).scope)).toEqual(['audit:read', 'webhooks:write']);
    const member = await aUserOf(app, organization.id, 'member');
    expect((await signInTo(app, clientId, member, wanted)).shown.text).toContain('This takes the role admin. Yours is member.');
    const { accessToken, refreshToken, scope } = await connect(app, clientId, member, wanted);
    expect(scope).toBe('claim_projects:read');
    expect((await refresh(app, clientId, refreshToken)).body.scope).toBe('claim_projects:read');
    expect(await codeOf(await createWebhook(accessToken))).toBe('403 role_required');
  });

  it('is shown no tool above their role, and a call of one is refused', async () => {
    const partner = await aPartner(app, { plan: 'enterprise' });
    const { accessToken } = await tokensOf(app, partner, { scope: undefined });
    const tools = await connectTools(app, { authorization: `Bearer ${accessToken}` });
    const names = await namesOf(tools);
    expect(names).toEqual(expect.arrayContaining(['list_webhooks', 'create_claim_project']));
    expect(names.filter((name) => /^(create|update|delete)_webhook$|audit/.test(name))).toEqual([]);
    const answer = await callTool(tools, 'list_audit_events');
    expect(answer).toMatchObject({ isError: true, content: { code: 'role_required', status: 403 } });
    await tools.close();
  });
});

describe('an admin who is made a member', () => {
  it('no longer reads the audit log by a token that they gave as an admin, within a second, until they are an admin again', async () => {
    const partner = await aPartner(app, { plan: 'enterprise', role: 'admin' });
    const { accessToken, refreshToken, scope } = await tokensOf(app, partner, { scope: undefined });
    expect(aboveAMember(scope)).toEqual(ABOVE_A_MEMBER);
    expect((await bearer(app, accessToken, AUDIT)).status).toBe(200);
    // A client may keep the list of tools for some minutes. A new one has none.
    const toolNames = async (): Promise<string[]> => {
      const tools = await connectTools(app, { authorization: `Bearer ${accessToken}` });
      const names = await namesOf(tools);
      await tools.close();
      return names;
    };
    expect(await toolNames()).toContain('list_audit_events');
    const introspect = (token: string) => ask(app, partner, { token }, '/oauth/introspect');
    expect(aboveAMember((await introspect(accessToken)).body.scope)).toEqual(ABOVE_A_MEMBER);

    await setRole(partner.user.id, 'member');
    await eventually(async () => expect((await bearer(app, accessToken, AUDIT)).status).toBe(403), SOON_MS);
    expect(await inForce(accessToken)).toEqual({ above: [], role: 'member' });
    expect(await toolNames()).not.toContain('list_audit_events');
    for (const token of [accessToken, refreshToken]) {
      const { body } = await introspect(token);
      expect([body.active, aboveAMember(body.scope)]).toEqual([true, []]);
    }
    const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken });
    expect([refreshed.status, aboveAMember(refreshed.body.scope)]).toEqual([200, []]);
    expect(listOf(refreshed.body.scope)).toContain('claim_projects:write');

    await setRole(partner.user.id, 'admin');
    await eventually(async () => expect((await bearer(app, accessToken, AUDIT)).status).toBe(200), SOON_MS);
    const again = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshed.body.refresh_token! });
    expect(aboveAMember(again.body.scope)).toEqual(ABOVE_A_MEMBER);
  });

  it('gets no code for more by the session in which they consented as an admin', async () => {
    const partner = await aPartner(app, { plan: 'enterprise', role: 'admin' });
    const browser = new Browser(app.url);
    const wanted = { scope: 'claim_projects:read audit:read', ...PKCE };
    const { email, password } = partner.user;
    const consent = await browser.submit(await browser.visit(authorizeUrl(app.url, partner, wanted)), { do: 'sign-in', email, password });
    await browser.submit(consent, { do: 'allow' });
    await setRole(partner.user.id, 'member');
    const back = await browser.visit(authorizeUrl(app.url, partner, wanted));
    const code = back.url.searchParams.get('code')!;
    const { body } = await ask(app, partner, { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER });
    expect(body.scope).toBe('claim_projects:read');
  });
});

it('a client credentials token speaks for no person, and keeps the scopes of its application', async () => {
  const partner = await aPartner(app, { plan: 'enterprise' });
  const { body } = await ask(app, partner, { grant_type: 'client_credentials' });
  expect((await bearer(app, body.access_token!, AUDIT)).status).toBe(200);
  expect(await inForce(body.access_token!)).toEqual({ above: ABOVE_A_MEMBER, role: undefined });
  expect(aboveAMember((await ask(app, partner, { token: body.access_token! }, '/oauth/introspect')).body.scope)).toEqual(ABOVE_A_MEMBER);
});
