import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { verifyChain } from '../../../src/modules/audit/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aSealedEntry, anEntry, atTime } from '../../support/audit.js';
import { LogDatabase } from '../../support/audit-log.js';
import { aVisitor, aVisitorOf, textOf } from '../../support/console.js';
import { Receiver } from '../../support/receiver.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const logs = new LogDatabase(() => app);

const AUDIT = '/console/live/audit';
const EXPORT = `${AUDIT}/export`;
const VERIFY = `${AUDIT}/verify`;
const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)![1]!;
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/data-heading="Number" class="number"><div>([\d,]+)</g)].map(([, number]) => Number(number));

describe('the audit log', () => {
  it('is shown newest first, and walked page by page without gap or repeat', async () => {
    const { browser, organization } = await aVisitor(app);
    for (let count = 0; count < 120; count += 1) await anEntry(app, organization.id);
    const seen: number[] = [];
    let path: string | undefined = AUDIT;
    while (path !== undefined) {
      const { text } = await browser.visit(path);
      seen.push(...numbersIn(text));
      path = /rel="next" href="([^"]+)"/.exec(textOf(text))?.[1];
    }
    expect(seen[0]).toBeGreaterThanOrEqual(120);
    expect(seen).toEqual(Array.from({ length: seen[0]! }, (_nothing, index) => seen[0]! - index));
  });

  it('is filtered by action, actor and days', async () => {
    const { browser, organization } = await aVisitor(app);
    await atTime(app, '2026-03-01T23:59:59.000Z', () => aSealedEntry(app, organization.id, { action: 'claim_project.created' }));
    await atTime(app, '2026-03-02T00:00:00.000Z', () =>
      aSealedEntry(app, organization.id, { action: 'api_key.revoked', actorType: 'system' }),
    );
    const shown = async (query: string) => {
      const { text } = await browser.visit(`${AUDIT}?${query}`);
      return [...text.matchAll(/<a href="[^"]+" title="([\w.]+)">/g)].map(([, action]) => action).reverse();
    };
    const [created, revoked] = ['claim_project.created', 'api_key.revoked'];
    expect(await shown('action=claim_')).toEqual([created]);
    expect(await shown('action=%25')).toEqual([]);
    expect(await shown('actor=api')).toEqual([created]);
    expect(await shown('until=2026-03-01')).toContain(created);
    expect(await shown('until=2026-03-01')).not.toContain(revoked);
    for (const ignored of ['since=yesterday', 'actor=boss', 'before=x_y', `before=${newId()}`])
      expect(await shown(`${ignored}&action=claim_`)).toEqual([created]);
    expect((await browser.visit(`${AUDIT}?action=nothing`)).text).toContain('none that you searched for');
  });

  it('shows with test data the events of the test environment only, as with a test key', async () => {
    const { browser, organization } = await aVisitor(app);
    await anEntry(app, organization.id, { environment: 'test', action: 'claim_project.created' });
    await anEntry(app, organization.id, { environment: 'live', action: 'claim_project.updated' });
    const live = await browser.visit(AUDIT);
    const test = await browser.visit('/console/test/audit');
    expect(live.text).toContain('user.created');
    expect(test.text).toContain('claim_project.created');
    for (const hidden of ['user.created', 'claim_project.updated']) expect(test.text).not.toContain(hidden);
    const id = /\/audit\/([0-9a-f-]{36})" title="claim_project.updated/.exec(live.text)![1]!;
    expect((await browser.visit(`${AUDIT}/${id}`)).status).toBe(200);
    expect((await browser.visit(`/console/test/audit/${id}`)).status).toBe(404);
  });

  it('shows an event with its changes, as the texts that they are', async () => {
    const { browser, organization } = await aVisitor(app);
    const hostile = '<script>alert(1)</script>';
    const changes = { name: { from: null, to: hostile }, scopes: { from: ['a'], to: ['a', 'b'] } };
    await anEntry(app, organization.id, { action: 'api_key.updated', changes });
    const list = await browser.visit(AUDIT);
    const { text } = await browser.visit(/href="([^"]+)" title="api_key.updated/.exec(list.text)![1]!);
    expect(text).not.toContain('<script>alert');
    for (const shown of [hostile, '[ "a", "b" ]', '203.0.113.7', 'Month-end sync']) expect(textOf(text)).toContain(shown);
  });

  it.each([newId(), 'nothing', 'ffffffff-ffff-7fff-bfff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])(
    'has no event %s',
    async (id) => {
      const { browser } = await aVisitor(app);
      expect((await browser.visit(`${AUDIT}/${id}`)).status).toBe(404);
    },
  );

  it('is read by owners and admins of the organization, in the plan that has it', async () => {
    const { browser, organization } = await aVisitor(app);
    await anEntry(app, organization.id, { action: 'api_key.updated' });
    const path = /href="([^"]+)" title="api_key.updated/.exec((await browser.visit(AUDIT)).text)![1]!;
    expect((await (await aVisitor(app)).browser.visit(path)).status).toBe(404);
    const member = await aVisitorOf(app, organization, { role: 'member' });
    const poor = await aVisitor(app, { plan: 'growth' });
    for (const visitor of [member, poor]) {
      for (const page of [AUDIT, path, EXPORT, VERIFY]) expect((await visitor.browser.visit(page)).status).toBe(403);
      const csrf = csrfOf((await visitor.browser.visit('/console/live')).text);
      for (const page of [EXPORT, VERIFY]) expect((await visitor.browser.visit(page, { csrf, format: 'csv' })).status).toBe(403);
    }
  });
});

describe('an export', () => {
  it('as JSON Lines has the events as the API returns them: the chain can be verified with them', async () => {
    const { browser, organization } = await aVisitor(app);
    for (let count = 0; count < 600; count += 1) await anEntry(app, organization.id);
    const { status, text, headers } = await browser.fill(EXPORT, {});
    expect([status, headers.get('content-type')]).toEqual([200, 'application/jsonl']);
    expect(headers.get('content-disposition')).toContain(`audit-log-${organization.slug}-live.jsonl`);
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.length).toBeGreaterThan(600);
    expect(verifyChain(events)).toEqual({ rows: events.length, head: await logs.headAt(organization.id, events.length), fault: null });
  });

  it('as CSV has no formula, and only the events that are wanted', async () => {
    const { browser, organization } = await aVisitor(app);
    const changes = { name: { from: 'a, "b"', to: '=1+1' } };
    await anEntry(app, organization.id, { action: 'api_key.updated', changes });
    await anEntry(app, organization.id, { action: 'api_key.revoked', changes });
    const { text, headers } = await browser.fill(`${EXPORT}?action=api_key.u`, { format: 'csv' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\ufeff?sequence,createdAt,/);
    const formula = '=HYPERLINK(1)';
    await aVisitorOf(app, organization, { name: formula });
    expect((await browser.fill(EXPORT, { format: 'csv', action: 'user.signed_in' })).text).toContain(`,'${formula},`);
    expect(lines[1]).toContain(`"{""name"":{""from"":""a, \\""b\\"""",""to"":""=1+1""}}"`);
  });
});

describe('verifying', () => {
  it('shows the head of a valid log, which proves later that nothing was removed', async () => {
    const { browser, organization } = await aVisitor(app);
    await anEntry(app, organization.id);
    const { text } = await browser.fill(VERIFY, {});
    expect(text).toContain('The log is valid');
    const [head] = /\d+:[0-9a-f]{64}/.exec(text)!;
    await anEntry(app, organization.id);
    expect((await browser.fill(VERIFY, { head })).text).toContain('The log is valid');
    const other = `${head.slice(0, -4)}0000`;
    expect((await browser.fill(VERIFY, { head: other })).text).toContain('does not match the known head');
  });

  it('names the first event that was changed', async () => {
    const { browser, organization } = await aVisitor(app);
    for (let count = 0; count < 3; count += 1) await aSealedEntry(app, organization.id);
    await logs.change(organization.id, 2, `actor_name = 'Somebody else'`);
    const { text } = await browser.fill(VERIFY, {});
    expect(text).toContain('Row 2 (');
    expect(text).not.toContain('The log is valid');
  });

  it('says at the field that a head is wrong, and keeps it', async () => {
    const { browser } = await aVisitor(app);
    const { status, text } = await browser.fill(VERIFY, { head: '12:abc' });
    expect([status, text.includes('id="head-error"'), text.includes('value="12:abc"')]).toEqual([400, true, true]);
  });
});

describe('destinations', () => {
  const DESTINATIONS = `${AUDIT}/destinations`;

  it('are added, tried and removed by owners, who see how far each has come and never the token again', async () => {
    const local = await startApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    const receiver = await Receiver.start();
    const { browser, organization } = await aVisitor(local);
    const form = { kind: 'https', url: `${receiver.url}/logs`, name: 'Authorization', region: '', secret: 'a token of theirs' };
    const csrf = csrfOf((await browser.visit(DESTINATIONS)).text);
    const wrong = await browser.visit(DESTINATIONS, { csrf, ...form, url: 'https://10.0.0.1' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('10.0.0.1')]);
    expect(wrong.text).not.toContain(form.secret);
    const added = await browser.visit(DESTINATIONS, { csrf, ...form });
    expect(added.text).toContain('Destination added.');
    expect(added.text).not.toContain(form.secret);
    const destination = /name="destination" value="([^"]+)"/.exec(added.text)![1]!;
    const act = (action: string) => browser.visit(`${DESTINATIONS}/${action}`, { csrf, destination });
    // The first batch has what is sealed by then.
    await logs.verify(organization.id);
    receiver.answer = (_received, response) => void response.writeHead(403).end();
    const failed = await act('try');
    expect([failed.status, failed.text]).toEqual([400, expect.stringContaining('status 403')]);
    receiver.answer = (_received, response) => void response.writeHead(200).end();
    expect((await act('try')).text).toContain('has taken everything');
    expect(receiver.received.at(-1)!.headers.authorization).toBe(form.secret);
    expect((await act('remove')).text).toContain('Destination removed.');
    expect((await browser.visit(DESTINATIONS)).text).not.toContain(receiver.url);
    const admin = await aVisitor(local, { role: 'admin' });
    expect((await admin.browser.visit(AUDIT)).text).not.toContain('/destinations');
    expect((await admin.browser.visit(DESTINATIONS)).status).toBe(403);
    const lesser = await aVisitor(local, { plan: 'starter' });
    expect(
      (await lesser.browser.visit(DESTINATIONS, { csrf: csrfOf((await lesser.browser.visit(DESTINATIONS)).text), ...form })).status,
    ).toBe(403);
    await receiver.close();
    await local.close();
  });
});
