import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConnectionRulesService } from '../../../src/modules/oauth/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { PASSWORD } from '../../support/oauth.js';
import { Receiver } from '../../support/receiver.js';
import { SELF_SIGNED } from '../../support/self-signed.js';
import { aDocument, aMember, APP_CALLBACK, LOCAL_DOCUMENTS } from '../../support/shared-clients.js';
import { callTool } from '../../support/tools.js';

/** A host of a model, as its authors write it: it knows the address of the tool server and has registered nothing anywhere. */
class Host implements OAuthClientProvider {
  private client: StoredOAuthClientInformation | undefined;
  private stored: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;
  authorizationUrl: URL | undefined;

  constructor(
    readonly redirectUrl: string,
    readonly clientMetadataUrl?: string,
  ) {}

  get clientMetadata() {
    return { client_name: 'A host', redirect_uris: [this.redirectUrl] };
  }
  state = () => 'a state';
  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.client = client);
  tokens = () => this.stored;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.stored = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.discovered = state);
  discoveryState = () => this.discovered;
}

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('a host that knows nothing but the address of the tool server', () => {
  let app: TestApp;
  let site: Receiver;
  let browser: Browser;
  let back: Server;
  let callback: string;
  beforeAll(async () => {
    // The certificate of the site is its own. Connections are encrypted, but not verified.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    site = await Receiver.start(SELF_SIGNED);
    app = await startApp({ ...LOCAL_DOCUMENTS, OAUTH_REGISTRATION: 'true' });
    browser = await startChromium();
    back = createServer((_request, response) => void response.end('Back at the host')).listen(0, '127.0.0.1');
    await new Promise((resolve) => back.once('listening', resolve));
    callback = `http://127.0.0.1:${(back.address() as AddressInfo).port}/callback`;
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await browser.close();
    await app.close();
    await site.close();
    back.close();
  });

  const transportOf = (host: Host) => new StreamableHTTPClientTransport(new URL('/mcp', app.url), { authProvider: host });
  const newClient = () => new Client({ name: 'A host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });

  /** What the first connection leads to: the address that the user's browser is sent to. */
  async function ask(host: Host) {
    const transport = transportOf(host);
    await expect(newClient().connect(transport)).rejects.toThrow(UnauthorizedError);
    return { transport, address: host.authorizationUrl!.href };
  }

  async function signIn(address: string, email: string) {
    const { page, complaints } = await openPage(browser);
    await page.goto(address);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    return { page, complaints };
  }

  async function connectedBy(host: Host, email: string, button = 'Allow for test data') {
    const { transport, address } = await ask(host);
    const { page, complaints } = await signIn(address, email);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(`${callback}?*`);
    expect(complaints).toEqual([]);
    await transport.finishAuth(new URL(page.url()).searchParams);
    const client = newClient();
    await client.connect(transportOf(host));
    return client;
  }

  it('is connected with its own metadata document: 401, metadata, sign-in and consent in a browser, tokens, a tool call', async () => {
    const { organization, user } = await aMember(app);
    const clientId = aDocument(site, { client_name: 'A host', redirect_uris: [APP_CALLBACK] });
    const client = await connectedBy(new Host(callback, clientId), user.email, 'Allow for live data');
    const { isError, content } = await callTool(client, 'get_organization');
    expect([isError, content.id]).toEqual([false, organization.id]);
    await client.close();
  });

  it('and has no metadata document is connected after it has registered itself, where the operator allows that', async () => {
    const { organization, user } = await aMember(app);
    const client = await connectedBy(new Host(callback), user.email);
    const { isError, content } = await callTool(client, 'get_organization');
    expect([isError, content.id]).toEqual([false, organization.id]);
    await client.close();
  });

  it('shows whoever decides what it is, also to screen readers', async () => {
    const { user } = await aMember(app);
    const { address } = await ask(new Host(callback, aDocument(site)));
    const scope = new URL(address);
    scope.searchParams.set('scope', 'claim_projects:read');
    const { page } = await signIn(scope.href, user.email);
    await page.getByRole('button', { name: 'Refuse' }).waitFor();
    const hosts: Record<string, string> = {
      [new URL(site.url).host]: 'SITE',
      [new URL(callback).origin]: 'ORIGIN',
      [user.email.split('@')[0]!]: 'USER',
    };
    const shown = Object.entries(hosts).reduce((text, [from, to]) => text.replaceAll(from, to), await page.locator('body').ariaSnapshot());
    expect(shown).toMatchInlineSnapshot(`
      "- banner: Claims API
      - main:
        - heading "Allow SITE?" [level=1]
        - paragraph:
          - text: This application is published by
          - strong: SITE
          - text: and calls itself “A model”.
        - paragraph: It is not verified by us. Continue only if you have just started this yourself, in an application that you trust.
        - paragraph:
          - text: With your consent all members of
          - strong: Example Accountants
          - text: can connect it.
        - paragraph:
          - strong: SITE
          - text: asks for permission to do this for you. You can leave out what you do not want to allow.
        - group "Claim projects":
          - text: Claim projects
          - 'checkbox "View: List claim projects and see a claim project (claim_projects:read)" [checked]'
          - strong: "View:"
          - text: List claim projects and see a claim project (claim_projects:read)
        - term: Organization
        - definition: Example Accountants
        - term: Signed in as
        - definition: USER
        - term: You will be sent to
        - definition: an app on this computer (ORIGIN)
        - term: For how long
        - definition: Until you end it, at most 365 days. Then you are asked again.
        - term: How to end it
        - definition:
          - text: Remove SITE from
          - link "your connected applications":
            - /url: /oauth/connections
          - text: . It takes effect at once.
        - button "Allow for test data"
        - button "Allow for live data"
        - button "Refuse"
        - button "Use another account"
        - navigation "Language":
          - link "English":
            - /url: "?lang=en"
          - link "Deutsch":
            - /url: "?lang=de"
          - link "español":
            - /url: "?lang=es"
          - link "français":
            - /url: "?lang=fr"
          - link "Nederlands":
            - /url: "?lang=nl""
    `);
  });

  it('is not connected to an organization that allows none: the user reads why, and the host gets an error', async () => {
    const { organization, user } = await aMember(app);
    await app.app.get(ConnectionRulesService).setRule(OPERATOR, organization.id, 'none');
    const { transport, address } = await ask(new Host(callback, aDocument(site)));
    const { page } = await signIn(address, user.email);
    expect(await page.getByRole('alert').innerText()).toBe('Example Accountants does not allow applications like this one.');
    await page.getByRole('button', { name: 'Go back to the application' }).click();
    await page.waitForURL(`${callback}?*`);
    await expect(transport.finishAuth(new URL(page.url()).searchParams)).rejects.toThrow();
  });
});
