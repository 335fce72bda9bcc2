import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { aVisitorOf, ConsoleBrowser, textOf } from '../../support/console.js';
import {
  aCompany,
  anAccount,
  atProvider,
  PROVIDERS_HERE,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/identity-provider.js';
import { aPartner, anApplication, authorizeUrl, CALLBACK } from '../../support/oauth.js';

let app: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  app = await startApp(PROVIDERS_HERE);
  provider = await startIdentityProvider(`${app.url}/console/sign-in/callback`);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

const CONTINUE = 'Continue as';

describe('whoever is signed in to the console', () => {
  it('answers an application without signing in again', async () => {
    const partner = await aPartner(app);
    const { browser, user } = await aVisitorOf(app, partner.organization);
    const asked = await browser.visit(authorizeUrl(app.url, partner));
    expect(textOf(asked.text)).toContain(`${CONTINUE} ${user.name}`);
    const consent = await browser.submit(asked, { do: 'continue' });
    const { url } = await browser.submit(consent, { do: 'allow' });
    expect([url.origin, url.searchParams.has('code')]).toEqual([new URL(CALLBACK).origin, true]);
  });

  it('is not asked to continue for an application of another organization', async () => {
    const partner = await aPartner(app);
    const { browser } = await aVisitorOf(app, await anOrganization(app));
    const asked = await browser.visit(authorizeUrl(app.url, partner));
    expect(asked.text).not.toContain(CONTINUE);
    expect((await browser.submit(asked, { do: 'continue', email: '', password: '' })).text).toContain('name="password"');
  });

  it('is not asked to continue before they have the second factor that their organization requires', async () => {
    const partner = await aPartner(app);
    const { browser } = await aVisitorOf(app, partner.organization);
    await app.app.get(OrganizationService).change(OPERATOR, partner.organization.id, { requireSecondFactor: true });
    expect((await browser.visit(authorizeUrl(app.url, partner))).text).not.toContain(CONTINUE);
  });

  it('types a password for somebody else in a form of its own', async () => {
    const partner = await aPartner(app);
    const { browser } = await aVisitorOf(app, partner.organization);
    const asked = await browser.visit(authorizeUrl(app.url, partner));
    const forms = [...asked.text.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([form]) => form);
    expect(forms.map((form) => [form.includes(CONTINUE), form.includes('name="password"')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

it('people of a company sign in for an application with their company’s account', async () => {
  const { organization, domain } = await aCompany(app, provider);
  const application = await anApplication(app, organization.id);
  const browser = new ConsoleBrowser(app.url);
  const asked = await browser.visit(authorizeUrl(app.url, { application }));
  const link = textOf(/href="(\/console\/sign-in\/company[^"]*)"/.exec(asked.text)![1]!);
  expect(new URL(link, app.url).searchParams.get('organization')).toBe(organization.slug);
  const { url } = await browser.fill(link, {});
  const again = await browser.visit(await atProvider(provider, url, anAccount(provider, { email: `jane@${domain}` })));
  expect(again.url.pathname).toBe(asked.url.pathname);
  const consent = await browser.submit(again, { do: 'continue' });
  expect((await browser.submit(consent, { do: 'allow' })).url.searchParams.has('code')).toBe(true);
});
