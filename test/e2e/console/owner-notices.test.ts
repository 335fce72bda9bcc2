import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { ErasuresService, NoticeChoices, OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { JobRegistry } from '../../../src/store/jobs/job-registry.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import { aVisitorOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { startMailServer } from '../../support/mail-server.js';
import { eventually } from '../../support/eventually.js';
import { openReports } from '../../support/reports.js';
import { aUser, entriesOf } from '../../support/users.js';
import { openHook, startDelivering } from '../../support/webhooks.js';

const KINDS = ['api_key_expiring', 'claim_report_failed', 'organization_status', 'usage_budget_used', 'webhook_failing'];
const EDIT = '/console/test/organization/edit';
const HOUR_MS = 3_600_000;

let server: Awaited<ReturnType<typeof startMailServer>>;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  // The tests run the jobs themselves, so that they know when each has ended.
  app = await startDelivering({ SMTP_URL: server.url, MAIL_FROM: 'no-reply@claims.example', ROLE: 'api' });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const sql = <Row extends object>(text: string, values: unknown[] = []) => rowsOf<Row>(app.databaseUrl, text, values);

const runJob = (id: string): Promise<void> =>
  app.app
    .get(JobRegistry)
    .jobs.find((job) => job.id === id)!
    .run();

/** Sends what is due, and returns the mails that somebody has got so far, in their order: subject and words of each. */
async function mailsOf({ email }: { email: string }) {
  await runJob('mail.send');
  return server.mails
    .filter(({ to }) => to.includes(email))
    .map(({ text }) => {
      const words = text.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
      // Each says why one gets it, and where to switch it off.
      expect(words).toContain('You get this mail as an owner of Example Accountants in Claims API.');
      expect(words).toMatch(new RegExp(`mails owners get: ${app.url}/console/(test|live)/organization/edit#mail`));
      return { subject: /^Subject: (.*)$/m.exec(words)![1]!.trim(), words };
    });
}
const subjectsOf = async (owner: { email: string }) => (await mailsOf(owner)).map(({ subject }) => subject);

async function anOwned() {
  const { id } = await anOrganization(app);
  return { id, owner: await aUser(app, id, { role: 'owner' }) };
}

/** A key with so many hours to live of so many. */
async function aKeyWith(organizationId: string, left: number, of: number): Promise<string> {
  const { id } = await aKey(app, organizationId, { name: `Key of ${of} hours`, expiresInMs: of * HOUR_MS });
  await age(id, left, of);
  return id;
}
const age = (id: string, left: number, of: number) =>
  sql(
    `UPDATE api_keys SET expires_at = now() + $2::int * interval '1 hour', created_at = now() - $3::int * interval '1 hour' WHERE id = $1`,
    [...[id, left, of - left]],
  );
const notifyOfKeys = () => runJob('api_keys.notify_owners');

/** A run that cannot succeed. Returns its id when it has failed. */
async function aFailedRun({ configuration, storedBefore, queue }: Awaited<ReturnType<typeof openReports>>): Promise<string> {
  const configured = await configuration();
  await storedBefore('report_configurations', 'output_options', configured, { formats: ['no such format'] });
  const { id } = await queue({ reportConfigurationId: configured.id });
  await ended(id);
  return id;
}
/** Runs what is due until a worker has set the outcome of a run. */
async function ended(id: string): Promise<void> {
  await runJob('reports.run');
  await eventually(async () => expect(await statusOf(id)).toBe('failed'));
}
const statusOf = async (id: string) => (await sql<{ status: string }>('SELECT status FROM claim_reports WHERE id = $1', [id]))[0]!.status;

const setStatus = (id: string, status: string) =>
  runCommand(['org', 'set', id, '--status', status], {
    ...{ DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, BASE_URL: app.url },
  });

describe('the owners of an organization are told that an API key expires', () => {
  it('7 days and 1 day before, once each, and nobody else', async () => {
    const { id, owner } = await anOwned();
    const admin = await aUser(app, id, { role: 'admin' });
    const other = await anOwned();
    const key = await aKeyWith(id, 169, 1000);
    await notifyOfKeys();
    expect(await subjectsOf(owner)).toEqual([]);
    await age(key, 167, 1000);
    await Promise.all([notifyOfKeys(), notifyOfKeys()]);
    await notifyOfKeys();
    const [{ subject, words }] = (await mailsOf(owner)) as [{ subject: string; words: string }];
    expect(subject).toBe('API key expires soon: Key of 1000 hours');
    const [{ expires }] = (await sql<{ expires: Date }>('SELECT expires_at AS expires FROM api_keys WHERE id = $1', [key])) as [never];
    expect(words).toContain(`expires at ${new Date(expires).toISOString()}`);
    expect(words).toContain(`${app.url}/console/test/keys/${key}`);
    // Time passes for the notice, too.
    await sql(`UPDATE api_keys SET expiry_noticed_at = now() - interval '6 days' WHERE id = $1`, [key]);
    await age(key, 23, 1000);
    await notifyOfKeys();
    await notifyOfKeys();
    expect(await subjectsOf(owner)).toHaveLength(2);
    for (const nobody of [admin, other.owner]) expect(await subjectsOf(nobody)).toEqual([]);
  });

  it('but not of one that lives shorter, was revoked or rotated, or has expired', async () => {
    const { id, owner } = await anOwned();
    const keys = app.app.get(ApiKeysService);
    await aKeyWith(id, 20, 23);
    await aKeyWith(id, 160, 167);
    await keys.revoke(OPERATOR, await aKeyWith(id, 100, 1000));
    await aKeyWith(id, -1, 1000);
    await keys.rotate(OPERATOR, (await aKey(app, id)).id, 24 * HOUR_MS);
    await notifyOfKeys();
    expect(await subjectsOf(owner)).toEqual([]);
  });

  it('of each one, however many expire, with one mail to each of 20 owners at most', async () => {
    const { id, owner } = await anOwned();
    const key = await aKeyWith(id, 100, 1000);
    const copied = (table: string, from: string, count: number, given: string) =>
      sql(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid()) || ${given})).*
          FROM ${table} one, generate_series(1, $2) number WHERE one.id = $1`,
        [from, count],
      );
    await copied('api_keys', key, 100, `jsonb_build_object('key_hash', '\\x' || md5(random()::text))`);
    await notifyOfKeys();
    const queued = () => sql('DELETE FROM outgoing_mails WHERE organization_id = $1 RETURNING id', [id]);
    expect(await queued()).toHaveLength(101);
    await copied('users', owner.id, 20, `jsonb_build_object('email_key', number || one.email_key, 'email', number || one.email)`);
    await aKeyWith(id, 100, 1000);
    await notifyOfKeys();
    expect(await queued()).toHaveLength(20);
  });
});

describe('the owners of an organization are told that a run failed', () => {
  it('once a day, however many fail', async () => {
    const reports = await openReports(app);
    const owner = await aUser(app, reports.organizationId, { role: 'owner' });
    const first = await aFailedRun(reports);
    expect(await statusOf(first)).toBe('failed');
    await aFailedRun(reports);
    const mails = await mailsOf(owner);
    expect(mails.map(({ subject }) => subject)).toEqual(['A claim report run failed']);
    for (const told of [first, 'There may be more', `${app.url}/console/test/reports?status=failed`])
      expect(mails[0]!.words).toContain(told);
    await sql(`UPDATE organization_notices SET sent_at = sent_at - interval '25 hours' WHERE organization_id = $1`, [
      reports.organizationId,
    ]);
    await aFailedRun(reports);
    expect(await subjectsOf(owner)).toHaveLength(2);
  });

  it('exactly if it has failed: no mail without the failure, and no failure without the mail', async () => {
    const reports = await openReports(app);
    const owner = await aUser(app, reports.organizationId, { role: 'owner' });
    const refused = "subject <> 'A claim report run failed' OR nextval('refused_mails') < 0";
    await sql('CREATE SEQUENCE IF NOT EXISTS refused_mails; GRANT USAGE ON SEQUENCE refused_mails TO PUBLIC');
    await sql(`ALTER TABLE outgoing_mails ADD CONSTRAINT no_runs CHECK (${refused}) NOT VALID`);
    const failed = aFailedRun(reports);
    // A sequence keeps its number, although what asked for it is rolled back.
    await eventually(async () => expect(await sql('SELECT is_called FROM refused_mails')).toEqual([{ is_called: true }]));
    const [{ id }] = (await sql<{ id: string }>('SELECT id FROM claim_reports WHERE organization_id = $1', [reports.organizationId])) as [
      never,
    ];
    expect([await statusOf(id), await subjectsOf(owner)]).toEqual(['running', []]);
    await sql('ALTER TABLE outgoing_mails DROP CONSTRAINT no_runs');
    await sql(`UPDATE claim_reports SET leased_until = now() - interval '1 second' WHERE id = $1`, [id]);
    await ended(id);
    await failed;
    expect([await statusOf(id), await subjectsOf(owner)]).toEqual(['failed', ['A claim report run failed']]);
  });
});

describe('the owners of an organization are told that it', () => {
  it('was suspended, and that it is active again, but not what stays as it is', async () => {
    const { id, owner } = await anOwned();
    for (const status of ['suspended', 'suspended', 'active']) expect((await setStatus(id, status)).code).toBe(0);
    expect(await subjectsOf(owner)).toEqual(['Example Accountants was suspended', 'Example Accountants is active again']);
  });

  it('gets no mail while it is being erased', async () => {
    const { id, owner } = await anOwned();
    await aKeyWith(id, 100, 1000);
    await app.app.get(ErasuresService).begin(OPERATOR, id);
    await notifyOfKeys();
    expect(await subjectsOf(owner)).toEqual([]);
    expect(await sql('SELECT kind FROM organization_notices WHERE organization_id = $1', [id])).toEqual([]);
  });
});

describe('each kind of mail to owners', () => {
  it('can be switched off and on in the console, by owners and admins, which the audit log says', async () => {
    const organization = await anOrganization(app);
    const admin = await aVisitorOf(app, organization, { role: 'admin' });
    const wanted = KINDS.slice(1);
    const shown = await admin.browser.fill(EDIT, { notices: wanted }, '/notices');
    expect(shown.text).toContain('4 of 5 kinds');
    expect((await app.app.get(NoticeChoices).list(organization.id)).filter(({ isOn }) => !isOn)).toMatchObject([{ kind: KINDS[0] }]);
    await admin.browser.fill(EDIT, {}, '/notices');
    const [entry, ...others] = (await entriesOf(app, organization.id, 'organization')).filter(({ action }) => /notices/.test(action));
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ action: 'organization.notices_changed', actor: `user ${admin.user.id} ${admin.user.name}` });
    const { from, to } = entry!.changes.notices as { from: string[]; to: string[] };
    expect([from.sort(), to.sort()]).toEqual([KINDS, wanted]);
    const refused = await admin.browser.fill(EDIT, { notices: ['no_such_kind'] }, '/notices');
    expect([refused.status, refused.text.includes('contains no_such_kind')]).toEqual([400, true]);
    const member = await aVisitorOf(app, organization, { role: 'member' });
    const csrf = /name="csrf" value="([^"]+)"/.exec((await member.browser.visit('/console/test/organization')).text)![1]!;
    expect((await member.browser.visit('/console/test/organization/notices', { csrf })).status).toBe(403);
  });

  it('is not sent when it is switched off', async () => {
    const hook = await openHook(app);
    const reports = await openReports(app);
    for (const id of [hook.organizationId, reports.organizationId]) await app.app.get(NoticeChoices).change(OPERATOR, id, []);
    const owners = [await aUser(app, hook.organizationId, { role: 'owner' }), await aUser(app, reports.organizationId, { role: 'owner' })];
    await sql(`UPDATE webhook_endpoints SET failing_since = now() - interval '100 hours' WHERE id = $1`, [hook.webhook.id]);
    await runJob('webhooks.notify_owners');
    await aKeyWith(hook.organizationId, 100, 1000);
    await notifyOfKeys();
    expect(await statusOf(await aFailedRun(reports))).toBe('failed');
    await app.app.get(OrganizationService).change(OPERATOR, hook.organizationId, { status: 'suspended' });
    for (const owner of owners) expect(await subjectsOf(owner)).toEqual([]);
  });
});
