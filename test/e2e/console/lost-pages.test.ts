import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor } from '../../support/console.js';
import { fromNewAddress } from '../../support/law-call.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What browsers send when somebody opens an address. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

async function open(path: string, init: RequestInit = {}) {
  const answer = await fetch(app.url + path, {
    redirect: 'manual',
    ...init,
    headers: { ...fromNewAddress(), ...BROWSER, ...init.headers },
  });
  const text = await answer.text();
  const links = [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link]) => link);
  return { status: answer.status, type: answer.headers.get('content-type'), headers: answer.headers, text, links };
}

const HTML = 'text/html; charset=utf-8';
const PROBLEM = 'application/problem+json; charset=utf-8';

describe('somebody who opens a wrong address in a browser', () => {
  it.each([
    ['of nothing', '/nothing', 'There is no such page', '/'],
    ['of a section of the console', '/console/test/nothing', 'There is no such page', '/console'],
    ['of a guide', '/guides/nothing', 'There is no such page', '/guides'],
    ['below a guide', '/guides/quickstart/nothing', 'There is no such page', '/guides'],
    ['of a problem', '/problems/nothing', 'There is no such page', '/'],
    ['of the authorization server', '/oauth/nothing', 'There is no such page', '/'],
    ['that cannot be decoded', '/guides/100%', 'There is no such page', '/'],
  ])('%s sees a page with the way back', async (_what, path, title, way) => {
    const { type, text, links, headers } = await open(path);
    expect([type, /<h1>([^<]+)</.exec(text)?.[1]]).toEqual([HTML, title]);
    expect(links).toContain(way);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('gets the status of a missing page, or of a form without its fields', async () => {
    expect((await open('/console/test/nothing')).status).toBe(404);
    const sent = await open('/oauth/token');
    expect([sent.status, sent.type, sent.headers.get('allow')]).toEqual([405, HTML, 'POST']);
  });

  it('of an upload link learns whom to ask, whichever part of the address is wrong', async () => {
    for (const path of ['/uploads', '/uploads/nothing', '/uploads/nothing/more']) {
      const { status, type, text } = await open(path);
      expect([path, status, type]).toEqual([path, 404, HTML]);
      expect(text).toMatch(/This link is no longer valid.*Ask the person who sent it to you/s);
    }
  });

  it('is still within the console if they are signed in: with its navigation, and nothing of it is lost', async () => {
    const { browser, organization } = await aVisitor(app);
    for (const path of ['/console/test/nothing', '/console/live/reports/1/2/3/4', '/console/nothing/at/all']) {
      const { status, text } = await browser.visit(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toMatch(/There is no such page.*Go to the overview/s);
      for (const part of [organization.name, 'Sign out', '>Projects</a>']) expect(text).toContain(part);
    }
    expect((await browser.visit('/console/live/nothing')).text).toContain('href="/console/live"');
  });
});

describe('programs', () => {
  it('get the problem document at every wrong address', async () => {
    for (const path of ['/nothing', '/console/test/nothing', '/guides/nothing', '/uploads/a/b', '/oauth/nothing', '/guides/100%'])
      for (const Accept of ['application/json', '*/*'])
        expect([path, (await open(path, { headers: { Accept } })).type]).toEqual([path, PROBLEM]);
  });

  it('get it from the API whatever they accept', async () => {
    for (const path of ['/v1/nothing', '/v1', '/v1/claim-projects/100%']) expect([path, (await open(path)).type]).toEqual([path, PROBLEM]);
  });
});
