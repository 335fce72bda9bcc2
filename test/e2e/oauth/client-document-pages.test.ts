import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { authorizeUrl } from '../../support/oauth.js';
import { refusedOnAPage } from '../../support/oauth-answers.js';
import { Receiver } from '../../support/receiver.js';
import { aDocument, aMember, LOCAL_DOCUMENTS, signInTo, token } from '../../support/shared-clients.js';

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

const at = (clientId: string, wanted: Record<string, string> = {}) =>
  authorizeUrl(app.url, { application: { clientId } as never }, { redirect_uri: 'http://127.0.0.1:7777/callback', ...wanted });

it.each([
  ['of a private network', () => 'https://10.0.0.1/client.json', 'its address is not public'],
  ['without TLS', () => 'http://example.com/client.json', 'its URL must begin with https://'],
  ['that is not there', () => `${site.url}/nothing.json`, 'it is not served as application/json'],
  ['of somebody else', () => aDocument(site, { client_id: 'https://example.com/client.json' }), 'its client_id is not its URL'],
  ['whose server is away', () => 'http://127.0.0.1:1/client.json', 'its server cannot be reached'],
])('a document %s leads to a page that says why, and to no token', async (_which, make, reason) => {
  const clientId = make();
  const { text } = await refusedOnAPage(at(clientId));
  expect(text).toContain(reason);
  const { status, body } = await token(app, { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x'.repeat(43) });
  expect([status, body.error_description]).toEqual([400, expect.stringContaining(reason)]);
});

it.each([
  'http://127.0.0.1:7777/elsewhere',
  'http://localhost:7777/callback',
  'https://evil.example.com/callback',
  'http://127.0.0.1:7777/callback?a=b',
  'cursor://callback',
])('an answer is not sent to %s, which the document does not have', async (redirectUri) => {
  const { text } = await refusedOnAPage(at(aDocument(site), { redirect_uri: redirectUri }));
  expect(text).toContain('redirect_uri');
});

it('a request without PKCE is refused', async () => {
  const url = new URL(at(aDocument(site)));
  url.searchParams.delete('code_challenge');
  const answer = await fetch(url, { redirect: 'manual' });
  expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe('invalid_request');
});

it('a page that was open when the document was last good goes on', async () => {
  const clientId = aDocument(site);
  const { user } = await aMember(app);
  const { browser, shown } = await signInTo(app, clientId, user);
  site.answer = (_received, response) => void response.writeHead(404).end();
  const back = await browser.submit(shown, { do: 'allow:test' });
  expect(back.url.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
});
