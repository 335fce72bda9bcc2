import { newId } from '../../src/kernel/ids.js';
import type { OpenRoute } from '../../src/api/operation/operation.js';
import type { World } from '../fuzz/world.js';
import type { Canaries } from './canaries.js';
import { headersWith } from './canary-calls.js';
import { ConsoleBrowser, signInByLink } from './console.js';
import { aUser } from './users.js';

type Shown = Awaited<ReturnType<ConsoleBrowser['visit']>>;

const FORMS = /<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs;
const TYPED = /<(?:input|textarea)[^>]*>/g;
const UNTYPED = /type="(hidden|checkbox|radio|file|date|number)"/;

/**
 * Opens a page of each route of the console that needs no id or that links lead to, and sends its forms with a canary in every text.
 * `signIn` is called when a session has ended. Returns the routes of the forms that were sent, and the names of all fields.
 */
async function sendForms(world: World, canaries: Canaries, browser: ConsoleBrowser, signIn: () => Promise<unknown>) {
  const routes = world.app.registry.consoleRoutes;
  const first = routes.map(({ method, path }) => [method, path, path.replace(':environment', 'test')] as const);
  const seen = new Map(first.flatMap(([method, route, path]) => (method === 'GET' && !path.includes(':') ? [[route, path]] : [])));
  const sent = new Set<string>();
  const fields = new Set<string>();
  for (const [route, path] of seen) {
    let shown = await browser.visit(`${path}?search=${canaries.content(`query of ${route}`)}`);
    if (shown.url.pathname.startsWith('/console/sign-in')) {
      await signIn();
      shown = await browser.visit(path);
    }
    for (const [, link] of shown.text.matchAll(/href="(\/console\/test[^"#?]*)/g)) {
      const linked = routeOf(routes, 'GET', link!);
      if (linked !== undefined && !seen.has(linked)) seen.set(linked, link!);
    }
    for (const [, action, form] of shown.text.matchAll(FORMS)) {
      const target = routeOf(routes, 'POST', action!);
      if (target === undefined || sent.has(target)) continue;
      sent.add(target);
      const planted = plantIn(canaries, form!, target);
      for (const name of Object.keys(planted)) fields.add(name);
      await browser.send(shown, planted, action);
    }
  }
  return { sent, fields };
}

/** A canary for each field in which people type. Passwords and codes are secrets; a recipient's address stays one. */
function plantIn(canaries: Canaries, form: string, route: string): Record<string, string> {
  const tags = [...form.matchAll(TYPED)].map(([tag]) => tag).filter((tag) => !UNTYPED.test(tag));
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const name = / name="([^"]+)"/.exec(tag)?.[1];
      if (name === undefined) return [];
      const as = `${name} of the form ${route}`;
      const isSecret = tag.includes('type="password"') || /secret|code|password|headers/i.test(name);
      const canary = isSecret && name !== 'codes' ? canaries.secret(as) : canaries.content(as);
      return [[name, tag.includes('type="email"') ? `${canary}@example.com` : canary]];
    }),
  );
}

function routeOf(routes: readonly OpenRoute[], method: string, path: string): string | undefined {
  const found = routes.filter((route) => route.method === method && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path));
  return found.sort((a, b) => a.path.split(':').length - b.path.split(':').length)[0]?.path;
}

/** Sends every form of the console for records that do not exist, with these fields, as the signed-in visitor. */
async function sendToEveryAction(
  { app, url }: World,
  canaries: Canaries,
  shown: Shown,
  cookie: string,
  names: Iterable<string>,
): Promise<number[]> {
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(shown.text) ?? [];
  const statuses: number[] = [];
  for (const { method, path } of app.registry.consoleRoutes.filter((route) => route.method === 'POST')) {
    const fields = [...names].map((name): [string, string] => [name, canaries.content(`${name} for ${path}`)]);
    const answer = await fetch(url + path.replace(':environment', 'test').replace(/:\w+/g, newId()), {
      method,
      redirect: 'manual',
      headers: { ...headersWith(canaries, path), cookie },
      body: new URLSearchParams([['csrf', csrf], ...fields]),
    });
    statuses.push(answer.status);
    await answer.text();
  }
  return statuses;
}

/** What routes without a credential take: those of sign-in, OAuth, one-time links and the rest. */
const SECRET_FIELDS = ['password', 'repeated', 'code', 'client_secret', 'token', 'refresh_token', 'code_verifier', 'client_assertion'];
const FIELDS = ['email', 'client_id', 'state', 'redirect_uri', 'login_hint', 'scope', 'user_code', 'organization', 'next', 'proof'];
const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'];

/** Calls every route that needs no credential, with canaries in its path, query, cookies, headers and form. */
export async function callOpenRoutes({ app, url }: World, canaries: Canaries): Promise<void> {
  for (const { method, path } of app.registry.openRoutes) {
    const where = `${method} ${path}`;
    // A path is in the log, but for the secrets in it.
    const target = path
      .replace(':token', () => canaries.secret(`:token of ${where}`))
      .replace(/:\w+/g, newId())
      .replace('*', 'mcp');
    for (const grant of method === 'POST' ? GRANTS : GRANTS.slice(0, 1)) {
      const fields = new URLSearchParams([
        ['grant_type', grant],
        ['csrf', canaries.secret(`csrf of ${where}`)],
        ...SECRET_FIELDS.map((name): [string, string] => [name, canaries.secret(`${name} of ${where}`)]),
        ...FIELDS.map((name): [string, string] => [name, canaries.content(`${name} of ${where}`)]),
      ]);
      const basic = Buffer.from(`${canaries.content(`client id of ${where}`)}:${canaries.secret(`client secret of ${where}`)}`);
      const authorization = `Basic ${canaries.keep(`Basic of ${where}`, basic.toString('base64'))}`;
      const headers = { ...headersWith(canaries, where), ...(grant === GRANTS[0] && { authorization }) };
      for (const query of ['', `?${fields.toString()}`])
        await (
          await fetch(url + target + query, { method, redirect: 'manual', headers, ...(method === 'POST' && { body: fields }) })
        ).text();
    }
  }
}

/** Signs in as an owner of an organization and sends every form. Returns how many were sent from a page, and the status of each action. */
export async function useTheConsole(world: World, canaries: Canaries, organizationId: string) {
  const user = await aUser(world.app, organizationId, { role: 'owner' });
  const browser = new ConsoleBrowser(world.url);
  const signIn = () => signInByLink(world.app, browser, user);
  await signIn();
  const { sent, fields } = await sendForms(world, canaries, browser, signIn);
  await signIn();
  const shown = await browser.visit('/console/test/projects/new');
  const cookie = browser.cookieHeader();
  canaries.keep('cookie of the console', cookie.slice(cookie.indexOf('=') + 1));
  const statuses = await sendToEveryAction(world, canaries, shown, cookie, fields);
  return { statuses, sentForms: sent.size };
}
