import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { aVisitor, aVisitorOf, textOf } from '../../support/console.js';
import { Receiver } from '../../support/receiver.js';
import { startDelivering } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

const WEBHOOKS = '/console/test/webhooks';
const KIND = 'claim_project.created';
const PAGE = `${WEBHOOKS}/events/${KIND}`;

async function withEndpoint() {
  const visitor = await aVisitor(app);
  const receiver = await Receiver.start();
  const fields = { name: 'Month-end sync', targetUrl: `${receiver.url}/hook`, allEvents: 'yes' };
  const { text } = await visitor.browser.fill(`${WEBHOOKS}/new`, fields);
  return { ...visitor, receiver, secret: /whsec_[\w+/=]+/.exec(textOf(text))![0] };
}

describe('an event in the console', () => {
  it('is shown with an example, and planned ones say that nothing sends them', async () => {
    const { browser } = await aVisitor(app);
    const { text } = await browser.visit(`${WEBHOOKS}/events`);
    const links = [...text.matchAll(/href="([^"]*\/events\/[\w.]+)"/g)].map(([, link]) => link!);
    expect(links).toContain(PAGE);
    for (const link of links) expect((await browser.visit(link)).status, link).toBe(200);
    const shown = textOf((await browser.visit(PAGE)).text);
    expect(shown).toContain(`"type": "${KIND}"`);
    for (const kind of ['nothing', '__proto__', 'constructor', `${KIND}x`])
      expect((await browser.visit(`${WEBHOOKS}/events/${kind}`)).status, kind).toBe(404);
  });

  it('is sent as an example to an endpoint, signed as the event would be, and says that nothing happened', async () => {
    const { browser, organization, receiver, secret } = await withEndpoint();
    const shown = await browser.fill(PAGE, {}, `${PAGE}/send`);
    expect(shown.text).toContain(`The endpoint accepted the example of ${KIND}.`);
    const { headers, body } = receiver.received[0]!;
    expect(headers['x-service-example']).toBe('true');
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: KIND,
      organizationId: organization.id,
      environment: 'test',
    });
    await receiver.close();
  });

  it('is not sent by members, nor to an endpoint of another organization', async () => {
    const { browser, organization, receiver } = await withEndpoint();
    const endpoint = /<option value="([0-9a-f-]{36})"/.exec((await browser.visit(PAGE)).text)![1]!;
    const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)![1]!;
    const member = await aVisitorOf(app, organization, { role: 'member' });
    expect((await member.browser.visit(PAGE)).text).not.toContain('Send me an example');
    const asMember = { csrf: csrfOf((await member.browser.visit(WEBHOOKS)).text), endpoint };
    expect((await member.browser.visit(`${PAGE}/send`, asMember)).status).toBe(403);
    const stranger = await aVisitor(app);
    const asStranger = { csrf: csrfOf((await stranger.browser.visit(WEBHOOKS)).text), endpoint };
    expect((await stranger.browser.visit(`${PAGE}/send`, asStranger)).status).toBe(404);
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });
});
