import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, aVisitorOf, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const PAGE = '/console/test/organization';
const EDIT = `${PAGE}/edit`;
const BILLING = `${PAGE}/billing`;
const PROFILE = { name: 'Müller & Co', country: 'DE', timeZone: 'Europe/Berlin' };

const entriesOf = (organizationId: string) =>
  rowsOf<{ action: string; actor_id: string; changes: object }>(
    app.databaseUrl,
    `SELECT action, actor_id, changes FROM audit_entries WHERE organization_id = $1 AND action = 'organization.updated' ORDER BY ordinal`,
    [organizationId],
  );

describe('the page of the organization', () => {
  it('shows its profile, plan and limits to every member, and the button to those who may edit it', async () => {
    const { browser, organization } = await aVisitor(app, { plan: 'growth' });
    const member = await aVisitorOf(app, organization, { role: 'member' });
    for (const visitor of [browser, member.browser]) {
      const { status, text } = await visitor.visit(PAGE);
      expect(status).toBe(200);
      for (const shown of [organization.slug, 'Growth', 'Not in this plan']) expect(text).toContain(shown);
      expect(text.includes(EDIT)).toBe(visitor === browser);
    }
  });

  it('names countries and offers time zones', async () => {
    const { browser } = await aVisitor(app);
    const { text } = await browser.visit(EDIT);
    expect(text).toContain('<option value="GB">United Kingdom</option>');
    expect(text).toContain('<option value="America/New_York"></option>');
    expect(text).toMatch(/id="timeZone"[^>]* value="UTC"[^>]* list="timeZone-list"/);
  });
});

describe('a change of the organization', () => {
  it('is in force at once, is an event of both environments, and is in the audit log with its user', async () => {
    const { browser, organization, user } = await aVisitor(app, { role: 'admin' });
    const shown = await browser.fill(EDIT, PROFILE);
    expect([shown.url.pathname, shown.text.includes('The organization was changed.')]).toEqual([PAGE, true]);
    expect(textOf(shown.text)).toContain('<span class="organization">Müller & Co</span>');
    for (const text of ['Germany', 'Europe/Berlin', 'Replaced by tokens']) expect(shown.text).toContain(text);
    expect(await entriesOf(organization.id)).toMatchObject([
      {
        actor_id: user.id,
        changes: { country: { from: null, to: 'DE' }, timeZone: { from: 'UTC', to: 'Europe/Berlin' }, name: { to: PROFILE.name } },
      },
    ]);
    const events = await rowsOf(app.databaseUrl, 'SELECT environment, kind FROM events WHERE organization_id = $1 ORDER BY 1', [
      organization.id,
    ]);
    expect(events).toEqual([
      { environment: 'live', kind: 'organization.updated' },
      { environment: 'test', kind: 'organization.updated' },
    ]);
  });

  it('can take the country back, and turn off that counterparties are tokens', async () => {
    const { browser, organization } = await aVisitor(app);
    await browser.fill(EDIT, PROFILE);
    const form = await browser.visit(EDIT);
    const csrf = /name="csrf" value="([^"]+)"/.exec(form.text)![1]!;
    const shown = await browser.visit(EDIT, { ...PROFILE, csrf, country: '' });
    expect(shown.text).toContain('Readable unless recognized as people');
    expect((await entriesOf(organization.id))[1]!.changes).toEqual({
      country: { from: 'DE', to: null },
      redactCounterparties: { from: true, to: false },
    });
  });

  it.each([
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['country', 'XX'],
    ['timeZone', 'Europe/Nowhere'],
    ['timeZone', '+01:00'],
    ['timeZone', 'europe/berlin'],
    ['timeZone', ''],
  ])('with a wrong %s is refused at the field, and what was entered stays: %j', async (field, value) => {
    const { browser, organization } = await aVisitor(app);
    const shown = await browser.fill(EDIT, { ...PROFILE, [field]: value });
    expect(shown.status).toBe(400);
    expect(shown.text).toContain(`id="${field}-error"`);
    if (field !== 'name') expect(textOf(shown.text)).toContain(`value="${PROFILE.name}"`);
    expect(await entriesOf(organization.id)).toEqual([]);
  });

  it('takes neither plan nor status nor slug', async () => {
    const { browser, organization } = await aVisitor(app, { plan: 'starter' });
    await browser.fill(EDIT, { ...PROFILE, plan: 'enterprise', status: 'suspended', slug: 'other', billingCycleAnchor: '2020-01-01' });
    expect(Object.keys((await entriesOf(organization.id))[0]!.changes).sort()).toEqual(['country', 'name', 'timeZone']);
  });

  it('of the billing anchor is for owners alone', async () => {
    const { browser, organization } = await aVisitor(app);
    const wrong = await browser.fill(EDIT, { billingCycleAnchor: '2026-02-30' }, BILLING);
    expect([wrong.status, wrong.text.includes('id="billingCycleAnchor-error"')]).toEqual([400, true]);
    const shown = await browser.fill(EDIT, { billingCycleAnchor: '2026-01-31' }, BILLING);
    expect(shown.text).toContain('31 Jan 2026');
    const admin = await aVisitorOf(app, organization, { role: 'admin' });
    const form = await admin.browser.visit(EDIT);
    expect(form.text).not.toContain('billingCycleAnchor');
    const csrf = /name="csrf" value="([^"]+)"/.exec(form.text)![1]!;
    expect((await admin.browser.visit(BILLING, { csrf, billingCycleAnchor: '2026-01-01' })).status).toBe(403);
    expect(await entriesOf(organization.id)).toHaveLength(1);
  });

  it('is not for members', async () => {
    const { browser } = await aVisitor(app, { role: 'member' });
    expect((await browser.visit(EDIT)).status).toBe(403);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.visit(PAGE)).text)![1]!;
    for (const path of [EDIT, BILLING]) expect((await browser.visit(path, { ...PROFILE, csrf })).status).toBe(403);
  });

  it('shows a name as the text that it is', async () => {
    const { browser } = await aVisitor(app);
    const name = '<script>alert(1)</script>';
    const shown = await browser.fill(EDIT, { ...PROFILE, name });
    expect(shown.text).not.toContain('<script>');
    expect(textOf(shown.text)).toContain(name);
  });
});
