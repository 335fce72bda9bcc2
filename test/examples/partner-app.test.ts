import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aKey } from '../support/builders.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startExample, type RunningExample } from '../support/examples.js';
import { aFreePort } from '../support/free-port.js';
import { aPartner, Browser, decide } from '../support/oauth.js';

const PATIENCE_MS = 120_000;
const PROJECT = { name: 'Berlin <office> & more', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
let partner: Awaited<ReturnType<typeof aPartner>>;
let home: string;
let example: RunningExample;
beforeAll(async () => {
  app = await startApp();
  const port = await aFreePort();
  home = `http://127.0.0.1:${port}`;
  partner = await aPartner(app, { redirectUris: [`${home}/callback`] });
  const { key } = await aKey(app, partner.organization.id);
  await new Client(app.url, key).post('/v1/claim-projects', PROJECT);
  const { clientId, clientSecret } = partner.application;
  const env = { CLAIMS_BASE_URL: app.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT: String(port) };
  example = await startExample('partner-app', env);
}, PATIENCE_MS);
afterAll(async () => {
  await example.stop();
  await app.close();
});

/** Follows the link of the page to the service, and answers there. Returns the address that the service sends the browser back to. */
async function answered(customer: Browser, answer: 'allow' | 'refuse' = 'allow'): Promise<string> {
  const first = await customer.visit('/');
  const link = /href="(\/connect)"/.exec(first.text)?.[1];
  expect(link, first.text).toBeDefined();
  const { url } = await customer.visit(link!);
  return (await decide(new Browser(app.url), url.href, partner, answer)).url.href;
}

it('prints its address', () => {
  expect(example.output).toEqual([home]);
});

it('a customer connects, sees the claim projects, and disconnects', async () => {
  const customer = new Browser(home);
  const shown = await customer.visit(await answered(customer));
  expect([shown.status, shown.url.href]).toEqual([200, `${home}/`]);
  expect(shown.text).toContain('<li>Berlin &#60;office&#62; &#38; more</li>');
  expect((await new Browser(home).visit('/')).text).not.toContain('Berlin');
  const after = await customer.visit('/disconnect', {});
  expect([after.status, after.url.href]).toEqual([200, `${home}/`]);
  expect(after.text).toContain('Connect</a>');
  expect(after.text).not.toContain('Berlin');
});

it('a customer who refuses reads it, and can connect after all', async () => {
  const customer = new Browser(home);
  expect((await customer.visit(await answered(customer, 'refuse'))).text).toContain('You did not allow it.');
  expect((await customer.visit(await answered(customer))).text).toContain('Berlin');
});

it('a callback of somebody else connects nobody', async () => {
  const [customer, attacker] = [new Browser(home), new Browser(home)];
  const callback = await answered(attacker);
  const shown = await customer.visit(callback);
  expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('Please begin again.')]);
  expect((await customer.visit('/')).text).not.toContain('Berlin');
});

it('a customer who removes the application at the service is asked to connect again', async () => {
  const customer = new Browser(home);
  await customer.visit(await answered(customer));
  const browser = new Browser(app.url);
  const { user, organization, application } = partner;
  const credentials = { organization: organization.slug, email: user.email, password: user.password };
  const list = await browser.submit(await browser.visit(`/oauth/connections?organization=${organization.slug}`), {
    do: 'sign-in',
    ...credentials,
  });
  await browser.submit(list, { do: 'remove', application: application.id });
  await eventually(async () => expect((await customer.visit('/')).text).toContain('The connection has ended.'));
  expect((await customer.visit(await answered(customer))).text).toContain('Berlin');
});
