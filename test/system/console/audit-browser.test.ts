import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { Checkpoints } from '../../../src/modules/audit/tree/checkpoints.service.js';
import { SignInLinks } from '../../../src/modules/console/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aSealedEntry, anEntry } from '../../support/audit.js';
import { LogDatabase } from '../../support/audit-log.js';
import { anOrganization } from '../../support/builders.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { aVisitor, textOf } from '../../support/console.js';
import { aUser } from '../../support/users.js';

const VERIFY = '/console/test/audit/verify';
const ROWS = '/console/live/audit/verify/rows';
const PATIENCE_MS = 60_000;

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  app = await startApp();
  if (hasChromium()) browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});
const logs = new LogDatabase(() => app);

/** The page of an owner whose log has some events of both environments, in a browser with scripts. */
async function opened(events: number) {
  const organization = await anOrganization(app);
  const owner = await aUser(app, organization.id, { role: 'owner' });
  const { link } = await app.app.get(SignInLinks).make(OPERATOR, owner);
  const { page, complaints } = await openPage(browser);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(app.url + new URL(link).pathname);
  await page.getByRole('button', { name: 'Sign in' }).click();
  for (let count = 0; count < events; count += 1)
    await anEntry(app, organization.id, { environment: count % 2 === 0 ? 'test' : 'live', action: 'claim_project.updated' });
  await aSealedEntry(app, organization.id);
  const verify = async (head = '') => {
    await page.goto(app.url + VERIFY);
    await page.locator('#head').fill(head);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    const said = page.locator('output.notice, output.error, output.warning');
    await said.waitFor();
    return (await said.textContent())!;
  };
  const prove = async (id: string, key = '') => {
    await page.goto(`${app.url}/console/live/audit/${id}`);
    await page.locator('#key').fill(key);
    await page.getByRole('button', { name: 'Prove it in this browser' }).click();
    const said = page.locator('output.notice, output.error, output.warning');
    await said.waitFor();
    return (await said.textContent())!;
  };
  return { organizationId: organization.id, verify, prove, complaints };
}

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('a browser verifies the log itself', () => {
  it('and says to where: the head is the one that the service has', async () => {
    const { organizationId, verify, complaints } = await opened(700);
    const said = await verify();
    const rows = await logs.rows(organizationId);
    expect(said).toBe(`Verified in this browser: ${rows.length} events are valid. Head: ${rows.length}:${rows.at(-1)!.hash}`);
    expect(await verify(`1:${rows[0]!.hash}`)).toBe(said);
    expect(complaints).toEqual([]);
  });

  it('and names the first row that was changed, is missing, or is in another place', async () => {
    const { organizationId, verify } = await opened(5);
    const rows = await logs.rows(organizationId);
    const last = rows.at(-1)!;
    await logs.change(organizationId, 4, "action = 'claim_project.deleted'");
    expect(await verify()).toBe(
      `Row 4 (${rows[3]!.id}) was changed: its content does not match its hash. The 3 events before it are valid.`,
    );
    await logs.sql('DELETE FROM audit_events WHERE organization_id = $1 AND sequence = 2', organizationId);
    expect(await verify()).toContain('Row 2 is missing: row 1 is followed by row 3');
    const beginning = 'DELETE FROM audit_events WHERE organization_id = $1 AND sequence > 1';
    await logs.sql(beginning, organizationId);
    expect(await verify(`${last.sequence}:${last.hash}`)).toContain('the end of the log was removed. The 1 events before it are valid.');
    expect(await verify('nothing')).toBe('The head must be a number, a colon and 64 hex digits.');
  });
});

describe.runIf(hasChromium() || process.env.CI)('a browser proves one event itself', () => {
  it('up to a checkpoint, and names who has signed that', async () => {
    const { organizationId, prove, complaints } = await opened(6);
    const rows = await logs.rows(organizationId);
    const { id, sequence } = rows.find(({ action, environment }) => action === 'claim_project.updated' && environment === 'live')!;
    const { host } = new URL(app.url);
    expect(await prove(id)).toBe(
      `Proven in this browser: event ${sequence} is one of the ${rows.length} events of the checkpoint. Signed by ${host}.`,
    );
    const [key] = await app.app.get(Checkpoints).verifierKeys(organizationId);
    expect(await prove(id, key)).toContain('Proven in this browser');
    const NO_PROOF = 'The event is not in the log of the checkpoint, was changed, or no such key has signed the checkpoint.';
    expect(await prove(id, `${host}/audit/${organizationId}+00000000+AdXqBOcXYN2xyDYtxvOVNJbKU9Y0aQNhZXxg5u1bcXkQ`)).toBe(NO_PROOF);
    await logs.change(organizationId, sequence, "actor_name = 'Somebody else'");
    expect(await prove(id)).toBe(NO_PROOF);
    expect(complaints).toEqual([]);
  });
});

describe('the rows for a browser', () => {
  it('are those after a position, and the whole log however long it is', async () => {
    const { browser: visitor, organization } = await aVisitor(app);
    for (let count = 0; count < 20; count += 1) await anEntry(app, organization.id);
    const form = await visitor.visit(VERIFY);
    const all = linesOf((await visitor.send(form, {}, ROWS)).text);
    expect(all).toEqual(await logs.rows(organization.id));
    const { createdAt, id } = all[9]!;
    expect(linesOf((await visitor.send(form, { after: `${createdAt}_${id}` }, ROWS)).text)).toEqual(all.slice(10));
    const end = all.at(-1)!;
    expect((await visitor.send(form, { after: `${end.createdAt}_${end.id}` }, ROWS)).text).toBe('');
  });

  it('are for admins and owners with the plan, of their own organization, and not for test data alone', async () => {
    for (const visitor of [await aVisitor(app, { role: 'member' }), await aVisitor(app, { plan: 'growth' })]) {
      const csrf = csrfOf((await visitor.browser.visit('/console/live')).text);
      expect((await visitor.browser.visit(ROWS, { csrf })).status).toBe(403);
    }
    const { browser: visitor } = await aVisitor(app);
    const csrf = csrfOf((await visitor.visit('/console/live')).text);
    expect((await visitor.visit(ROWS.replace('live', 'test'), { csrf })).status).toBe(404);
    expect((await visitor.visit(ROWS, { csrf: 'wrong' })).status).toBe(403);
  });

  it('and the proof of an event are for admins and owners with the plan, of their own organization', async () => {
    const { organization } = await aVisitor(app);
    await aSealedEntry(app, organization.id);
    const { id } = (await logs.rows(organization.id))[0]!;
    const PROOF = `/console/live/audit/${id}/proof`;
    for (const [visitor, status] of [
      [await aVisitor(app, { role: 'member' }), 403],
      [await aVisitor(app, { plan: 'growth' }), 403],
      [await aVisitor(app), 404],
    ] as const) {
      const csrf = csrfOf((await visitor.browser.visit('/console/live')).text);
      expect((await visitor.browser.visit(PROOF, { csrf })).status).toBe(status);
    }
  });

  it('are not offered without a script: the service verifies', async () => {
    const { browser: visitor } = await aVisitor(app);
    const { text } = await visitor.visit(VERIFY);
    expect(text).toMatch(/<form [^>]*data-script="[^"]+"[^>]*hidden/);
    expect((await visitor.fill(VERIFY, {})).text).toContain('The log is valid');
    for (const [, path] of textOf(text).matchAll(/data-(?:script|verifier)="([^"]+)"/g))
      expect((await fetch(app.url + path)).headers.get('content-type')).toContain('text/javascript');
  });
});

const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)![1]!;
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { createdAt: string; id: string });
