import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, aVisitorOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { day as inWords } from '../../../src/api/console/say.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMITS: JSON.stringify({ growth: { perMinute: 600, burst: 200 } }) });
});
afterAll(() => app.close());

const USAGE = '/console/test/usage';
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

describe('the usage of an organization', () => {
  it('shows the requests of this period by day and capability, and what the rate limit still allows', async () => {
    const { browser, organization } = await aVisitor(app, { plan: 'growth', role: 'member' });
    const { key } = await aKey(app, organization.id);
    const api = new Client(app.url, key);
    for (let count = 0; count < 3; count += 1) await api.get('/v1/claim-projects');
    await api.get(`/v1/claim-projects/${newId()}`);
    const { status, text } = await browser.visit(USAGE);
    expect(status).toBe(200);
    expect(text).toContain('Requests by day (UTC)<span class="legend good">3 succeeded</span><span class="legend bad">1 failed</span>');
    expect(text.replace(/<\/?div>/g, '')).toMatch(
      /claim projects<\/td><td data-heading="Reads" class="number">4<\/td><td[^>]*>0<\/td><td[^>]*>1<\/td>/,
    );
    expect(text).toContain('<dt>Requests a minute</dt><dd>600</dd>');
    expect(Number(/<dt>Requests left now<\/dt><dd>(\d+)/.exec(text)![1])).toBeGreaterThanOrEqual(196);
    const again = await browser.visit(USAGE);
    expect(again.text, 'a look at the console is no request').toContain('3 succeeded</span>');
    expect((await browser.visit('/console/live/usage')).text).toContain('No request was made in this period yet.');
  });

  it('has a bar for each day of the period until today', async () => {
    const { browser, organization } = await aVisitor(app);
    await rowsOf(app.databaseUrl, 'UPDATE organizations SET billing_cycle_anchor = $2 WHERE id = $1', [organization.id, day(2)]);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO usage_days (organization_id, environment, day, capability, reads, writes, failed)
       VALUES ($1, 'test', $2, 'claim_projects', 5, 1, 2), ($1, 'test', $3, 'claim_projects', 1000, 0, 0),
         ($1, 'test', $4, 'usage', 1234, 0, 0)`,
      [organization.id, day(2), day(0), day(3)],
    );
    const { text } = await browser.visit(USAGE);
    const rows = [...text.matchAll(/<th scope="row">([^<]+)<\/th><td>(\d+)<\/td>/g)].map(([, label, value]) => [label, value]);
    expect(rows).toEqual([
      [inWords(day(2)), '6'],
      [inWords(day(1)), '0'],
      [inWords(day(0)), '1000'],
    ]);
    expect(text.match(/<rect/g)).toHaveLength(6);
    expect(text).toMatch(/1,004 succeeded<.*2 failed</);
  });

  it('is on the first page, too, and is that of the own organization', async () => {
    const [{ browser, organization }, other] = [await aVisitor(app), await anOrganization(app)];
    const { key } = await aKey(app, organization.id);
    await new Client(app.url, key).get('/v1');
    const { text } = await browser.visit('/console/test');
    expect(text).toContain('Requests this period');
    expect(text).toContain('1 succeeded</span><span class="legend bad">0 failed');
    const stranger = await aVisitorOf(app, other);
    expect((await stranger.browser.visit('/console/test')).text).toContain('No request was made in this period yet.');
  });
});
