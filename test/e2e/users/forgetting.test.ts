import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuditService } from '../../../src/modules/audit/index.js';
import { AcceptanceService } from '../../../src/modules/users/users.service.js';
import { newId } from '../../../src/kernel/ids.js';
import { Reencryption } from '../../../src/store/secrets/reencryption.js';
import { Secrets } from '../../../src/store/secrets/secrets.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { everyRow } from '../../support/canary-database.js';
import { runCommand } from '../../support/command.js';
import { aVisitorOf, ConsoleBrowser, signInByLink, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { A_PDF, openReceipts } from '../../support/receipts.js';
import { startWorking } from '../../support/statements.js';
import { LinkClient, LINKS, pathIn } from '../../support/upload-links.js';
import { anAddress, aUser, PASSWORD, signIn, usersOf } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

/** All tables with one of the texts, as it is, in bytes, or encrypted under a key of the installation, and how often. */
async function tablesWith(texts: readonly string[]): Promise<Record<string, number>> {
  const rows = await everyRow(app.databaseUrl);
  const secrets = app.app.get(Secrets);
  for (const { table, column, key, owner } of app.app.get(Reencryption).columns) {
    const stored = await rowsOf<{ stored: Buffer; key: string[] }>(
      app.databaseUrl,
      `SELECT ${column} AS stored, ARRAY[${key.map((name) => `${name}::text`).join(', ')}]::text[] AS key
        FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    rows[table] += stored.map((row) => secrets.decryptBytes(row.stored, owner(...row.key)).toString('latin1')).join('\n');
  }
  const timesIn = (row: string, text: string): number => row.toLowerCase().split(text.toLowerCase()).length - 1;
  const forms = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const counts = Object.entries(rows).map(([table, row]) => [table, forms.reduce((sum, text) => sum + timesIn(row, text), 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

type Claimed = Awaited<ReturnType<Awaited<ReturnType<typeof openReceipts>>['claimed']>>;

/** Somebody who was invited, and has used what the console has. */
async function aBusyPerson(organizationId: string, { line, report, projectId, categoryId }: Claimed) {
  const [name, address] = [`Zq ${randomBytes(8).toString('hex')}`, anAddress()];
  const email = `${randomBytes(8).toString('hex')}@canary.example`;
  const owner = await aVisitorOf(app, { id: organizationId });
  const invited = await owner.browser.fill('/console/test/members/invite', { email, name, role: 'admin' });
  const token = /\/invitations\/(invite_[\w-]+)/.exec(invited.text)![1]!;
  const origin = { address, requestId: newId() };
  const user = (await app.app.get(AcceptanceService).accept(token, PASSWORD, origin))!;
  await signIn(app, user, { address });
  await signIn(app, user, { address, password: 'a wrong one' });
  const browser = new ConsoleBrowser(app.url);
  await signInByLink(app, browser, user);
  const ofLine = await browser.visit(`/console/test/reports/${report.id}/lines?chosen=${line.id}`);
  await browser.send(ofLine, { chosen: line.id, categoryId: 'not_claimed' }, '/chosen');
  await browser.fill('/console/test/items/new', {
    ...{ projectId, categoryId, name: 'Drive', incurredOn: '2026-01-15', quantity: '1', rate: '36.00', currency: 'EUR' },
  });
  const page = await browser.visit(`/console/test/reports/${report.id}/lines/${line.id}`);
  const [, receipts] = /href="([^"]+receipts\?claimLineId=[^"]+)"/.exec(page.text)!;
  await browser.upload(await browser.visit(receipts!), [['invoice.pdf', Buffer.concat([A_PDF, randomBytes(8)])]]);
  const link = pathIn((await browser.fill(`${LINKS}/new?project=${projectId}`, {})).text);
  await new LinkClient(app.url).send(link, [['january.csv', 'Date,Description,Amount,Currency\n2026-01-05,Ticket,-1.00,EUR\n']]);
  await browser.fill('/console/test/members/invite', { email: `${newId()}@other.example`, name: 'A guest', role: 'member' });
  const { databaseUrl } = app;
  await rowsOf(databaseUrl, `INSERT INTO user_identities VALUES ($1, $2, $3, 'https://id.example', $4, now())`, [
    newId(),
    organizationId,
    user.id,
    email,
  ]);
  await rowsOf(
    databaseUrl,
    `INSERT INTO outgoing_mails (id, organization_id, recipient, subject, text, attempts, created_at, next_attempt_at)
      VALUES ($1, $2, $3, 'Subject', 'Text', 0, now(), now() + interval '1 day')`,
    [newId(), organizationId, email],
  );
  await app.app.get(AuditService).sealedHead(organizationId);
  return { user, browser, canaries: [name, email, address] };
}

it('nothing of a person who was erased is in any table, and of others all is as it was', async () => {
  const opened = await openReceipts(app);
  const { organizationId } = opened;
  const claimed = await opened.claimed();
  const [person, other] = [await aBusyPerson(organizationId, claimed), await aBusyPerson(organizationId, claimed)];
  const audit = app.app.get(AuditService);
  const head = await audit.sealedHead(organizationId);
  expect(Object.keys(await tablesWith(person.canaries))).toEqual(
    expect.arrayContaining([
      ...[
        'claim_items',
        'claim_line_decisions',
        'events',
        'idempotency_keys',
        'outgoing_mails',
        'receipts',
        'upload_links',
        'user_identities',
        'users',
      ],
    ]),
  );
  const before = await tablesWith(other.canaries);
  const { code, stdout, stderr } = await claims(
    'person',
    'erase',
    '--org',
    organizationId,
    '--user',
    person.user.email,
    '--confirm',
    person.user.email,
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('changed       1  users');
  expect(stdout).toMatch(/removed\s+\d+ {2}audit_personal_values/);
  expect(await tablesWith(person.canaries)).toEqual({});
  expect({ ...(await tablesWith(other.canaries)), idempotency_keys: 0 }).toEqual({ ...before, idempotency_keys: 0 });
  expect((await audit.verify(organizationId, head)).fault).toBeNull();
  // Within half a second.
  await expect.poll(async () => (await person.browser.visit('/console/test')).url.pathname).toBe('/console/sign-in');
  expect((await other.browser.visit('/console/test')).status).toBe(200);
  expect(await signIn(app, person.user)).not.toHaveProperty('user');
  const list = JSON.parse((await claims('person', 'erased', '--org', organizationId, '--json')).stdout);
  expect(list).toEqual([{ personId: person.user.id, forgottenAt: expect.any(String), erasedAt: expect.any(String) }]);
  const again = JSON.parse(
    (await claims('person', 'erase', '--org', organizationId, '--user', person.user.id, '--confirm', person.user.id, '--json')).stdout,
  );
  expect(again[0].found.filter(({ becomes }: { becomes: string }) => becomes !== 'kept')).toEqual([]);
}, 120_000);

it('claims person erase says what it would do, asks for a confirmation, and knows no strangers', async () => {
  const { organizationId } = await openReceipts(app);
  const user = await aUser(app, organizationId);
  const erase = (...args: string[]) => claims('person', 'erase', '--org', organizationId, '--user', user.email, ...args);
  const plan = JSON.parse((await erase('--plan', '--json')).stdout);
  expect(plan[0]).toMatchObject({
    id: user.id,
    found: expect.arrayContaining([{ table: 'users', becomes: 'changed', rows: 1, why: null }]),
  });
  expect((await erase()).stderr).toBe(`claims: Erasing cannot be undone: confirm it with --confirm ${user.email}.\n`);
  expect((await erase('--confirm', 'another')).stderr).toContain('Nothing was erased');
  expect((await usersOf(app).get(user.id)).status).toBe('active');
  const unknown = await claims(
    'person',
    'erase',
    '--org',
    organizationId,
    '--user',
    'nobody@nowhere.example',
    '--confirm',
    'nobody@nowhere.example',
  );
  expect([unknown.code, unknown.stderr]).toEqual([1, 'claims: There is no user nobody@nowhere.example in this organization.\n']);
});

it('the last owner is not erased', async () => {
  const { organizationId } = await openReceipts(app);
  const owner = await aUser(app, organizationId, { role: 'owner' });
  const { code, stderr } = await claims('person', 'erase', '--org', organizationId, '--user', owner.id, '--confirm', owner.id);
  expect([code, stderr]).toEqual([1, expect.stringContaining('last owner')]);
});

it('an owner erases a member in the console with their own password; an admin, or with another password, does not', async () => {
  const { organizationId } = await openReceipts(app);
  const [owner, admin] = [await aVisitorOf(app, { id: organizationId }), await aVisitorOf(app, { id: organizationId }, { role: 'admin' })];
  const member = await aUser(app, organizationId, { name: 'To be erased' });
  const path = `/console/test/members/${member.id}`;
  expect((await admin.browser.visit(path)).text).not.toContain('ownPassword');
  const csrf = /name="csrf" value="([^"]+)"/.exec((await admin.browser.visit(path)).text)![1]!;
  expect((await admin.browser.visit(`${path}/erase`, { csrf, ownPassword: PASSWORD })).status).toBe(403);
  const refused = await owner.browser.fill(path, { ownPassword: 'a wrong one' }, '/erase');
  expect(refused.status).toBe(400);
  expect((await usersOf(app).get(member.id)).name).toBe('To be erased');
  const done = await owner.browser.fill(path, { ownPassword: PASSWORD }, '/erase');
  expect(textOf(done.text)).toContain('The person was erased.');
  expect(await usersOf(app).get(member.id)).toMatchObject({ name: '(forgotten)', email: '(forgotten)', status: 'removed' });
  const own = await owner.browser.visit(`/console/test/members/${owner.user.id}`);
  expect(own.text).not.toContain('ownPassword');
});
