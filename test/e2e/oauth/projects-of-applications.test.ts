import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { AccessTokenResolver } from '../../../src/modules/oauth/access-token.resolver.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitorOf } from '../../support/console.js';
import { runCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { aPartner, ask, authorizeUrl, bearer, Browser, tokensOf } from '../../support/oauth.js';
import { aProject } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

const applications = () => app.app.get(ApplicationsService);
const rowOf = async ({ organization, application }: Partner) =>
  (await applications().ofOrganization(organization.id)).find(({ id }) => id === application.id)!;

async function aFirm() {
  const partner = await aPartner(app, { role: 'admin' });
  const { key } = await aKey(app, partner.organization.id);
  const api = new Client(app.url, key);
  const projects = [await aProject(api), await aProject(api), await aProject(api)] as const;
  return { partner, projects, ids: projects.map(({ id }) => id) as [string, string, string] };
}

const bind = ({ application }: Partner, projectIds: string[] | null) => applications().update(OPERATOR, application.id, { projectIds });
const ownToken = async (partner: Partner, wanted: Record<string, string> = {}) =>
  ask(app, partner, { grant_type: 'client_credentials', scope: 'claim_projects:read', ...wanted });
const asking = (...ids: string[]) => ({ authorization_details: JSON.stringify([{ type: 'claim_projects', project_ids: ids }]) });
const reached = async (accessToken: string) => {
  const { data } = (await (await bearer(app, accessToken)).json()) as { data: { id: string }[] };
  return data.map(({ id }) => id).sort();
};

describe('an application that its organization has bound to projects', () => {
  it('reaches these alone, by tokens that exist, too, until it is bound to others or to all', async () => {
    const { partner, ids } = await aFirm();
    const [own, ofUser] = [(await ownToken(partner)).body.access_token!, (await tokensOf(app, partner)).accessToken];
    for (const projectIds of [[ids[0]], [ids[1], ids[2]], null]) {
      await bind(partner, projectIds);
      await eventually(async () => {
        for (const token of [own, ofUser]) expect(await reached(token)).toEqual([...(projectIds ?? ids)].sort());
      }, 1500);
    }
  });

  it('gets tokens for those of them that it asks for, and none for others', async () => {
    const { partner, ids } = await aFirm();
    await bind(partner, [ids[0], ids[1]]);
    expect(await reached((await ownToken(partner, asking(ids[1]))).body.access_token!)).toEqual([ids[1]]);
    expect((await ownToken(partner, asking(ids[1], ids[2]))).body.error).toBe('invalid_authorization_details');
  });

  it('never reaches more by a token for other projects: it reaches nothing then', async () => {
    const { partner, ids } = await aFirm();
    const token = (await ownToken(partner, asking(ids[2]))).body.access_token!;
    await bind(partner, [ids[0]]);
    await eventually(async () => expect(await reached(token)).toEqual([]), 1500);
    expect(await app.app.get(AccessTokenResolver).resolve(token)).toMatchObject({ projects: [] });
  });

  it('is allowed some of these by users, who see no others', async () => {
    const { partner, projects, ids } = await aFirm();
    await bind(partner, [ids[0], ids[1]]);
    const browser = new Browser(app.url);
    const { email, password } = partner.user;
    const consent = await browser.submit(await browser.visit(authorizeUrl(app.url, partner)), { do: 'sign-in', email, password });
    for (const [index, { name }] of projects.entries()) expect(consent.text.includes(name), name).toBe(index < 2);
    const wrong = await browser.submit(consent, { do: 'allow', projectIds: [ids[2]] });
    expect(wrong.status).toBe(400);
    expect((await browser.submit(consent, { do: 'allow', projectIds: [ids[0]] })).url.searchParams.get('code')).toBeTruthy();
    const none = await browser.visit(authorizeUrl(app.url, partner, asking(ids[2])));
    expect([none.status, none.text.includes('does not have')]).toEqual([403, true]);
  });

  it('is bound in the console, which shows it, and by the claims command; the audit log has the change', async () => {
    const { partner, projects, ids } = await aFirm();
    const { browser } = await aVisitorOf(app, partner.organization, { role: 'admin' });
    const path = `/console/test/applications/${partner.application.id}`;
    await browser.fill(`${path}/edit`, { projects: 'some', projectIds: [ids[0]] });
    expect((await rowOf(partner)).projectIds).toEqual([ids[0]]);
    expect((await browser.visit(path)).text).toContain(`<a class="block" href="/console/test/projects/${ids[0]}">${projects[0].name}</a>`);
    expect((await browser.fill(`${path}/edit`, { projects: 'some', projectIds: [newId()] })).status).toBe(400);
    await browser.fill(`${path}/edit`, { projects: 'all', projectIds: [] });
    expect((await rowOf(partner)).projectIds).toBeNull();
    const set = async (...options: string[]) => {
      const args = ['app', 'set', partner.application.id, ...options, '--json'];
      return (JSON.parse((await runCommand(args, { DATABASE_URL: app.databaseUrl })).stdout) as { projectIds: unknown }).projectIds;
    };
    expect(await set('--project', ids[1], '--project', ids[2])).toEqual([ids[1], ids[2]].sort());
    expect(await set('--all-projects')).toBeNull();
    const audit = new Client(app.url, (await aKey(app, partner.organization.id, { environment: 'live' })).key);
    await expect
      .poll(async () => (await audit.get('/v1/audit/events?action_prefix=application.updated')).body as unknown)
      .toMatchObject({ data: [{ changes: { projectIds: { from: null, to: [ids[0]] } } }, {}, {}, {}] });
  });

  it('cannot be bound to no project, nor to one that is not there', async () => {
    const { partner } = await aFirm();
    for (const projectIds of [[], [newId()], ['all']])
      await expect(bind(partner, projectIds), projectIds.join()).rejects.toMatchObject({ errors: [{ field: 'projectIds' }] });
    expect((await rowOf(partner)).projectIds).toBeNull();
  });
});
