import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { hasChromium, openPage, startChromium } from '../support/chromium.js';
import { folderWithClient } from '../support/client-package.js';
import { aPartner, Browser, CALLBACK, decide } from '../support/oauth.js';

const BIN = fileURLToPath(new URL('node_modules/.bin/', import.meta.url));
const PATIENCE_MS = 120_000;

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  folder = await folderWithClient();
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const PROGRAM = `
import { createInterface } from 'node:readline';
import process from 'node:process';
import { Claims } from '@claims-api/client';
import { MemoryTokenStore, OAuthApplication } from '@claims-api/client/oauth';

const { SERVICE: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REDIRECT: redirectUri } = process.env;
const store = new MemoryTokenStore();
const application = new OAuthApplication({ clientId, clientSecret, redirectUri, store, baseUrl });
const { url, pending } = await application.begin({ scope: 'claim_projects:read' });
console.log(url);
const callback = await new Promise((resolve) => createInterface({ input: process.stdin }).once('line', resolve));
const first = await application.finish('c', callback, pending);
store.set('c', { ...first, expiresAt: 0 });
const claims = new Claims({ accessToken: application.accessToken('c'), baseUrl });
const { data } = await claims.projects.list().page();
await application.disconnect('c');
const own = new Claims({ clientCredentials: { clientId, clientSecret }, baseUrl });
const { user } = await own.api.authContext();
console.log(JSON.stringify([data, user]));
process.exit();
`;

it.each([
  ['Node', process.execPath, []],
  ['Bun', `${BIN}bun`, []],
  ['Deno', `${BIN}deno`, ['run', '--allow-all', '--no-prompt', '--node-modules-dir=manual']],
])('%s authorizes, renews, disconnects, and calls on its own behalf', async (name, command, args) => {
  const partner = await aPartner(app);
  const file = `${name}.mjs`;
  await writeFile(join(folder, file), PROGRAM);
  const { clientId, clientSecret } = partner.application;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    SERVICE: app.url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    REDIRECT: CALLBACK,
  };
  const child = spawn(command, [...args, file], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'], timeout: PATIENCE_MS });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const address = (await lines.next()).value as string;
  const { url } = await decide(new Browser(app.url), address, partner);
  child.stdin.end(`${url.href}\n`);
  expect((await lines.next()).value).toBe('[[],null]');
});

const PAGE = `<!doctype html><title>A page</title><p id="shown"></p><script type="module">
import { Claims } from '/index.js';
import { MemoryTokenStore, OAuthApplication } from '/oauth.js';
const baseUrl = 'SERVICE';
const redirectUri = location.origin + '/';
const application = new OAuthApplication({ clientId: 'CLIENT', redirectUri, store: new MemoryTokenStore(), baseUrl });
if (location.search) {
  const pending = JSON.parse(sessionStorage.getItem('pending'));
  await application.finish('me', location.href, pending);
  const claims = new Claims({ accessToken: application.accessToken('me'), baseUrl });
  document.querySelector('#shown').textContent = 'Projects: ' + (await claims.projects.list().page()).data.length;
} else {
  const { url, pending } = await application.begin({ scope: 'claim_projects:read' });
  sessionStorage.setItem('pending', JSON.stringify(pending));
  location.assign(url);
}
</script>`;

it.skipIf(!hasChromium())('a page in Chromium is a public application', async () => {
  let page = '';
  const modules = join(folder, 'node_modules/@claims-api/client/dist/esm');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://page.test');
    const isPage = pathname === '/';
    const content = isPage ? Promise.resolve(page) : readFile(join(modules, pathname));
    content.then(
      (body) => response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const partner = await aPartner(app, { isPublic: true, redirectUris: [home] });
  page = PAGE.replace('SERVICE', app.url).replace('CLIENT', partner.application.clientId);
  const browser = await startChromium();
  try {
    const { page: tab } = await openPage(browser);
    await tab.goto(home);
    await tab.fill('input[name=email]', partner.user.email);
    await tab.fill('input[name=password]', partner.user.password);
    await tab.click('button[value=sign-in]');
    await tab.click('button[value=allow]');
    await expect.poll(() => tab.textContent('#shown'), { timeout: 10_000 }).toBe('Projects: 0');
  } finally {
    await browser.close();
    server.close();
  }
});
