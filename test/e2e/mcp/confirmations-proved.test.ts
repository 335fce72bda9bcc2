import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR, type Environment } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { sends, type Said } from '../../support/confirmations.js';
import { aVisitorOf, type ConsoleBrowser, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import {
  aCompany,
  anAccount,
  PROVIDERS_HERE,
  signOn,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/identity-provider.js';
import { Device } from '../../support/passkeys.js';
import { PASSWORD, usersOf } from '../../support/users.js';

let app: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  app = await startApp({ HOST: 'localhost', ...PROVIDERS_HERE });
  provider = await startIdentityProvider(`${app.url}/console/sign-in/callback`);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

/** A tool that wants to delete a live endpoint, for which a person has to agree. */
async function aDeletion(organizationId: string, environment: Environment = 'live') {
  const { key } = await aKey(app, organizationId, { environment });
  const api = new Client(app.url, key);
  const body = { name: 'Sync', targetUrl: 'https://hooks.example.com/claims', subscribedEvents: ['claim_project.created'] };
  const { id } = (await api.post('/v1/webhooks', body)).body as { id: string };
  const remove = () => sends(app, { 'X-API-Key': key }, 'delete_webhook', { webhook_id: id, confirm_delete: true });
  const pathOf = ({ structuredContent }: Said): string => new URL(structuredContent!.confirmation!.url).pathname;
  const path = pathOf(await remove());
  const isThere = async (): Promise<boolean> => (await api.get(`/v1/webhooks/${id}`)).status === 200;
  const agree = async (browser: ConsoleBrowser, fields = {}) => browser.send(await browser.visit(path), fields, `${path}/agree`);
  return { remove, path, isThere, agree };
}

it('somebody with a passkey agrees to a deletion by it: neither their password nor a key of somebody else is enough', async () => {
  const organization = await anOrganization(app);
  const [person, other] = [await aVisitorOf(app, organization), await aVisitorOf(app, organization)];
  const device = async ({ browser }: typeof person): Promise<Device> => {
    const made = new Device(app.url);
    const proposal = await browser.fill('/console/test/passkeys', { current: PASSWORD }, '/console/test/passkeys/new');
    const options = textOf(/data-options="([^"]+)"/.exec(proposal.text)![1]!);
    await browser.send(proposal, { name: 'My laptop', passkey: made.create(options) }, '/console/test/passkeys');
    return made;
  };
  const asked = async () =>
    JSON.parse((await person.browser.visit('/console/sign-in/passkey', {})).text) as { challenge: string; rpId: string };
  const [own, foreign] = [await device(person), await device(other)];
  const { remove, path, isThere, agree } = await aDeletion(organization.id);
  expect((await person.browser.visit(path)).text).not.toContain('type="password"');
  expect((await agree(person.browser, { password: PASSWORD })).status).toBe(400);
  expect((await agree(person.browser, { passkey: foreign.get(await asked()) })).status).toBe(400);
  expect([(await remove()).isError, await isThere()]).toEqual([true, true]);
  expect((await agree(person.browser, { passkey: own.get(await asked()) })).status).toBe(200);
  expect([(await remove()).isError, await isThere()]).toEqual([undefined, false]);
});

it('somebody whose company vouches for them agrees to a deletion only if they have signed in a moment ago', async () => {
  const { organization, domain } = await aCompany(app, provider);
  const account = anAccount(provider, { email: `jane@${domain}` });
  await signOn(app, provider, organization.slug, account);
  const { id } = (await usersOf(app).list(organization.id)).find(({ email }) => email === account.email)!;
  await usersOf(app).changeRole(OPERATOR, id, 'admin');
  const { browser } = await signOn(app, provider, organization.slug, account);
  const { remove, isThere, agree } = await aDeletion(organization.id);
  const old = `UPDATE console_sessions SET created_at = created_at - interval '1 hour' WHERE user_id = $1`;
  await rowsOf(app.databaseUrl, old, [id]);
  const refused = await agree(browser);
  expect(refused.text).not.toContain('agreed');
  expect([(await remove()).isError, await isThere()]).toEqual([true, true]);
  const { browser: fresh } = await signOn(app, provider, organization.slug, account);
  expect((await agree(fresh)).status).toBe(200);
  expect([(await remove()).isError, await isThere()]).toEqual([undefined, false]);
});
