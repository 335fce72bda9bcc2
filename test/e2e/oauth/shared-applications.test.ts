import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationsService, ConnectionRulesService } from '../../../src/modules/oauth/index.js';
import { UsersService } from '../../../src/modules/users/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { authorizeUrl, bearer, type Browser } from '../../support/oauth.js';
import { refusedOnAPage } from '../../support/oauth-answers.js';
import { Receiver } from '../../support/receiver.js';
import { aDocument, aMember, aUserOf, connect, LOCAL_DOCUMENTS, refresh, signInTo, textOf, token } from '../../support/shared-clients.js';

let app: TestApp;
let site: Receiver;
let rules: ConnectionRulesService;
beforeAll(async () => {
  site = await Receiver.start();
  app = await startApp(LOCAL_DOCUMENTS);
  rules = app.app.get(ConnectionRulesService);
});
afterAll(async () => {
  await app.close();
  await site.close();
});

interface Context {
  readonly credential: { readonly environment: string; readonly scopes: readonly string[] };
  readonly organization: { readonly id: string };
}
const contextOf = async (accessToken: string) => (await bearer(app, accessToken, '/v1/auth/context')).json() as Promise<Context>;
const statusOf = async (accessToken: string) => (await bearer(app, accessToken)).status;

async function auditOf(organizationId: string) {
  return rowsOf<{ action: string; environment: string | null; actor: string | null; changes: Record<string, { to: unknown }> }>(
    app.databaseUrl,
    `SELECT action, environment, actor_id AS actor, changes FROM audit_entries
      WHERE organization_id = $1 AND action ~ '^(application|organization)[.]' AND action <> 'organization.created' ORDER BY ordinal`,
    [organizationId],
  );
}
const connectionsOf = (organizationId: string) => app.app.get(ApplicationsService).ofOrganization(organizationId);

describe('an application that nobody registered', () => {
  it('is connected by an owner; its token belongs to their organization and to the environment they chose', async () => {
    const { organization, user } = await aMember(app);
    const clientId = aDocument(site);
    const { accessToken, scope } = await connect(app, clientId, user, { environment: 'live', scope: 'claim_projects:read' });
    expect(scope).toBe('claim_projects:read');
    const [connection] = await connectionsOf(organization.id);
    expect(await contextOf(accessToken)).toMatchObject({
      credential: { type: 'oauth', environment: 'live', scopes: ['claim_projects:read'] },
      organization: { id: organization.id },
      application: { id: connection!.id, name: 'A model' },
      user: { id: user.id },
    });
    expect(connection).toMatchObject({ environment: 'live', sharedClientId: clientId, scopes: ['claim_projects:read'], isPublic: true });
    const audit = await auditOf(organization.id);
    expect(audit.map(({ action, environment, actor }) => [action, environment, actor])).toEqual([
      ['organization.application_allowed', null, user.id],
      ['application.connected', 'live', user.id],
      ['application.access_given', 'live', user.id],
    ]);
    expect(audit[1]!.changes.sharedClientId!.to).toBe(clientId);
  });

  it('is asked about each time, and each organization and environment has one connection', async () => {
    const { organization, user } = await aMember(app);
    const clientId = aDocument(site);
    const test = await connect(app, clientId, user, { scope: 'claim_projects:read' });
    const live = await connect(app, clientId, user, { environment: 'live', scope: 'usage:read' });
    const again = await connect(app, clientId, user, { scope: 'organization:read' });
    const environments = await Promise.all([test, live, again].map(async ({ accessToken }) => (await contextOf(accessToken)).credential));
    expect(environments.map(({ environment, scopes }) => [environment, scopes])).toEqual([
      ['test', ['claim_projects:read']],
      ['live', ['usage:read']],
      ['test', ['organization:read']],
    ]);
    const connections = await connectionsOf(organization.id);
    expect(connections.map(({ environment, scopes }) => [environment, scopes])).toEqual([
      ['test', ['claim_projects:read', 'organization:read']],
      ['live', ['usage:read']],
    ]);
  });

  it('is shown by its host, as not verified, with the way that the answer takes', async () => {
    const { organization, user } = await aMember(app);
    const { shown } = await signInTo(app, aDocument(site, { client_name: 'Claims <b>API</b>' }), user);
    const text = textOf(shown);
    const { host } = new URL(site.url);
    expect(text).toContain(`<h1>Allow ${host}?</h1>`);
    expect(text).toContain('calls itself “Claims &lt;b>API&lt;/b>”');
    expect(text).toContain('It is not verified by us.');
    expect(text).toContain('an app on this computer (http://127.0.0.1:7777)');
    expect(text).toContain(`With your consent all members of <strong>${organization.name}</strong> can connect it.`);
    expect(text).not.toContain('value="allow"');
  });

  it('is refused with an error for the application if the user refuses, and leaves nothing behind', async () => {
    const { organization, user } = await aMember(app);
    const { browser, shown } = await signInTo(app, aDocument(site), user);
    const back = await browser.submit(shown, { do: 'refuse' });
    expect([back.url.origin, back.url.searchParams.get('error')]).toEqual(['http://127.0.0.1:7777', 'access_denied']);
    expect([await connectionsOf(organization.id), await auditOf(organization.id)]).toEqual([[], []]);
  });

  it('gets nothing if the form names no environment', async () => {
    const { organization, user } = await aMember(app);
    const { browser, shown } = await signInTo(app, aDocument(site), user);
    for (const decision of ['allow', 'allow:', 'allow:production', 'allow:live '])
      expect((await browser.submit(shown, { do: decision })).text).toContain('allow:live');
    expect(await connectionsOf(organization.id)).toEqual([]);
  });

  it('cannot use client credentials, or introspect', async () => {
    const clientId = aDocument(site, { grant_types: ['authorization_code', 'client_credentials'] });
    const { user } = await aMember(app);
    const { accessToken } = await connect(app, clientId, user);
    expect((await token(app, { grant_type: 'client_credentials', client_id: clientId })).body.error).toMatch(
      /unauthorized_client|invalid_request/,
    );
    const { body } = await token(app, { client_id: clientId, token: accessToken }, '/oauth/introspect');
    expect(body).toMatchObject({ error: 'invalid_client' });
  });
});

describe('two organizations with the same application', () => {
  it('see their own data, and what one decides does not concern the other', async () => {
    const clientId = aDocument(site);
    const [one, other] = [await aMember(app), await aMember(app)];
    const tokens = await connect(app, clientId, one.user);
    const others = await connect(app, clientId, other.user);
    const { key } = await aKey(app, one.organization.id);
    const period = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    await new Client(app.url, key).post('/v1/claim-projects', { name: 'Only ours', ...period });
    const listed = async (accessToken: string) => ((await (await bearer(app, accessToken)).json()) as { data: { name: string }[] }).data;
    expect((await listed(tokens.accessToken)).map(({ name }) => name)).toEqual(['Only ours']);
    expect(await listed(others.accessToken)).toEqual([]);
    const [connection] = await connectionsOf(one.organization.id);
    await app.app.get(ApplicationsService).setStatus(OPERATOR, connection!.id, 'suspended');
    await eventually(async () => expect(await statusOf(tokens.accessToken)).toBe(401));
    expect(await statusOf(others.accessToken)).toBe(200);
    expect((await refresh(app, clientId, tokens.refreshToken)).body.error).toBe('invalid_grant');
    expect((await refresh(app, clientId, others.refreshToken)).status).toBe(200);
  });

  it('revoke and lose their tokens alone, and the audit log of the right one says so', async () => {
    const clientId = aDocument(site);
    const [one, other] = [await aMember(app), await aMember(app)];
    const tokens = await connect(app, clientId, one.user);
    const others = await connect(app, clientId, other.user);
    expect((await token(app, { client_id: clientId, token: tokens.refreshToken }, '/oauth/revoke')).status).toBe(200);
    await eventually(async () => expect(await statusOf(tokens.accessToken)).toBe(401));
    expect(await statusOf(others.accessToken)).toBe(200);
    expect((await auditOf(one.organization.id)).map(({ action }) => action)).toContain('application.access_revoked');
    expect((await auditOf(other.organization.id)).map(({ action }) => action)).not.toContain('application.access_revoked');
  });

  it('have users with the same e-mail address, who name the organization; nobody learns that there are several', async () => {
    const clientId = aDocument(site);
    const [one, other] = [await aMember(app), await aMember(app)];
    const { email } = one.user;
    await aUserOf(app, other.organization.id, 'owner', email);
    const { shown } = await signInTo(app, clientId, { email });
    const unknown = await signInTo(app, clientId, { email: 'nobody@example.com' });
    expect(shown.status).toBe(400);
    expect(alertOf(shown)).toContain('If you have accounts at several organizations, enter the organization as well.');
    expect(alertOf(unknown.shown)).toBe(alertOf(shown));
    const { accessToken } = await connect(app, clientId, { email, organization: ` ${other.organization.slug.toUpperCase()} ` });
    expect((await contextOf(accessToken)).organization.id).toBe(other.organization.id);
    expect((await signInTo(app, clientId, { email, organization: 'no-such-organization' })).shown.status).toBe(400);
  });
});

describe('an organization', () => {
  it('that has decided nothing lets owners and admins connect an application, and members once one of them did', async () => {
    const clientId = aDocument(site);
    const { organization, user: owner } = await aMember(app);
    const member = await aUserOf(app, organization.id, 'member');
    const { browser, shown } = await signInTo(app, clientId, member);
    expect(shown.status).toBe(403);
    expect(alertOf(shown)).toContain('Ask an owner or admin to connect it first.');
    expect((await browser.submit(shown, { do: 'allow:test' })).status).toBe(403);
    const back = await browser.submit(shown, { do: 'refuse' });
    expect(back.url.searchParams.get('error')).toBe('access_denied');
    await connect(app, clientId, owner);
    await connect(app, clientId, member);
  });

  it('that allows none shows a page that says so, and its tokens end within a second; it can change its mind', async () => {
    const clientId = aDocument(site);
    const { organization, user } = await aMember(app);
    const tokens = await connect(app, clientId, user);
    await rules.setRule(OPERATOR, organization.id, 'none');
    const changed = performance.now();
    await eventually(async () => expect(await statusOf(tokens.accessToken)).toBe(401));
    expect(performance.now() - changed).toBeLessThan(1000);
    expect((await refresh(app, clientId, tokens.refreshToken)).body.error).toBe('invalid_grant');
    const { shown } = await signInTo(app, clientId, user);
    expect([shown.status, alertOf(shown)]).toEqual([403, expect.stringContaining('does not allow applications like this one.')]);
    await rules.setRule(OPERATOR, organization.id, 'listed');
    await eventually(async () => expect(await statusOf(tokens.accessToken)).toBe(200));
    expect((await auditOf(organization.id)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization.applications_changed']),
    );
  });

  it('that allows all lets members connect whatever it has not denied', async () => {
    const [clientId, denied] = [aDocument(site), aDocument(site)];
    const { organization, user } = await aMember(app, { role: 'member' });
    await rules.setRule(OPERATOR, organization.id, 'all');
    await rules.decide(OPERATOR, organization.id, denied, false);
    const tokens = await connect(app, clientId, user);
    expect(alertOf((await signInTo(app, denied, user)).shown)).toContain('has blocked this application.');
    await rules.decide(OPERATOR, organization.id, clientId, false);
    await eventually(async () => expect(await statusOf(tokens.accessToken)).toBe(401));
  });

  it('that has suspended its connection shows a page that says so', async () => {
    const clientId = aDocument(site);
    const { organization, user } = await aMember(app);
    await connect(app, clientId, user);
    const [connection] = await connectionsOf(organization.id);
    await app.app.get(ApplicationsService).setStatus(OPERATOR, connection!.id, 'suspended');
    const { browser, shown } = await signInTo(app, clientId, user);
    const refused = await browser.submit(shown, { do: 'allow:test' });
    expect([refused.status, alertOf(refused)]).toEqual([403, expect.stringContaining('has suspended this application.')]);
  });

  it('decides only about client ids that there can be', async () => {
    const { organization } = await aMember(app);
    for (const clientId of ['claude', 'https://example.com', 'app_12345678901234567890', 'https://Example.com/client.json'])
      await expect(rules.decide(OPERATOR, organization.id, clientId, true)).rejects.toThrow(/client/);
  });
});

describe('a connection', () => {
  it('is no client: nobody signs in with its own client id', async () => {
    const clientId = aDocument(site);
    const { organization, user } = await aMember(app);
    await connect(app, clientId, user);
    const [connection] = await connectionsOf(organization.id);
    await refusedOnAPage(authorizeUrl(app.url, { application: { clientId: connection!.clientId } as never }));
    const asItself = await token(app, { grant_type: 'refresh_token', client_id: connection!.clientId, refresh_token: 'x'.repeat(43) });
    expect(asItself.body.error).toBe('invalid_client');
  });

  it('is made once by consents at the same time', async () => {
    const clientId = aDocument(site);
    const { organization, user } = await aMember(app);
    const admin = await aUserOf(app, organization.id, 'admin');
    await Promise.all([user, admin, user, admin].map((person) => connect(app, clientId, person)));
    expect(await connectionsOf(organization.id)).toHaveLength(1);
  });

  it('of a user who was removed ends', async () => {
    const clientId = aDocument(site);
    const { organization } = await aMember(app);
    const admin = await aUserOf(app, organization.id, 'admin');
    const tokens = await connect(app, clientId, admin);
    await app.app.get(UsersService).remove(OPERATOR, admin.id);
    await eventually(async () => expect(await statusOf(tokens.accessToken)).toBe(401));
    expect((await refresh(app, clientId, tokens.refreshToken)).body.error).toBe('invalid_grant');
  });

  it('is not changed by a code of another application', async () => {
    const [clientId, other] = [aDocument(site), aDocument(site)];
    const { user } = await aMember(app);
    const { browser, shown } = await signInTo(app, clientId, user);
    const back = await browser.submit(shown, { do: 'allow:test' });
    const code = back.url.searchParams.get('code')!;
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: 'http://127.0.0.1:7777/callback', code_verifier: 'verifier' };
    expect((await token(app, { ...exchange, client_id: other })).body.error).toBe('invalid_grant');
  });
});

// The last one: passport keeps the strategies of the application that was started last.
describe('an organization with as many applications as it may have', () => {
  it('gets a page that says so', async () => {
    const small = await startApp({ ...LOCAL_DOCUMENTS, RECORD_LIMITS: '{"applications":1}' });
    const { user } = await aMember(small);
    await connect(small, aDocument(site), user);
    const { browser, shown } = await signInTo(small, aDocument(site), user);
    const refused = await browser.submit(shown, { do: 'allow:test' });
    expect([refused.status, textOf(refused)]).toEqual([409, expect.stringContaining('The limit `applications` is 1.')]);
    await small.close();
  });
});

const alertOf = ({ text }: Awaited<ReturnType<Browser['visit']>>): string =>
  (/<p class="error" role="alert"[^>]*>(.*?)<\/p>/s.exec(text)?.[1] ?? text).replace(/<[^>]+>/g, '');
