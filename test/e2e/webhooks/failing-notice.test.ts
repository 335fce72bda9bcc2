import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FailingNotice } from '../../../src/modules/webhooks/sending/failing-notice.js';
import { MailOutbox } from '../../../src/store/mail/mail-outbox.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import { startMailServer, type ReceivedMail } from '../../support/mail-server.js';
import { aUser } from '../../support/users.js';
import { aProject, DELIVERING, openHook, startDelivering, untilSettled, type Hook } from '../../support/webhooks.js';

const HOUR_MS = 3_600_000;
const MAIL_FROM = 'Claims API <no-reply@claims.example>';

let server: Awaited<ReturnType<typeof startMailServer>>;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  app = await startDelivering({ SMTP_URL: server.url, MAIL_FROM, ROLE: 'all' });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

/** As if no delivery had succeeded for so many hours. */
async function failingFor(hook: Hook, hours: number, { databaseUrl } = app): Promise<string> {
  const since = new Date(Date.now() - hours * HOUR_MS).toISOString();
  await rowsOf(databaseUrl, 'UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [hook.webhook.id, since]);
  return since;
}

const notify = ({ app: nest } = app): Promise<void> => nest.get(FailingNotice).notify();
const mailsAbout = ({ webhook }: Hook) => server.mails.filter(({ text }) => text.includes(webhook.id));
const noticesOf = async ({ webhook }: Hook, of = app) =>
  (await stepsOf(of, webhook.id)).filter(({ action }) => action === 'webhook.owners_warned');
const waiting = ({ organizationId }: Hook, { databaseUrl } = app) =>
  rowsOf<{ attempts: number }>(databaseUrl, 'SELECT attempts FROM outgoing_mails WHERE organization_id = $1', [organizationId]);

describe('the owners of an endpoint that keeps failing', () => {
  it('are told by mail, once and nobody else, a day before it would be disabled', async () => {
    const hook = await openHook(app, { name: 'Month-end\nsync', targetUrl: 'https://hooks.example.com/claims?token=s3cr3t' });
    const owners = [await aUser(app, hook.organizationId), await aUser(app, hook.organizationId)];
    await rowsOf(app.databaseUrl, `UPDATE users SET role = 'owner' WHERE organization_id = $1`, [hook.organizationId]);
    const admin = await aUser(app, hook.organizationId, { role: 'admin' });
    await failingFor(hook, 95);
    await notify();
    expect(await noticesOf(hook)).toEqual([]);
    const since = await failingFor(hook, 97);
    await Promise.all([notify(), notify()]);
    await notify();
    await eventually(() => expect(mailsAbout(hook)).toHaveLength(2));
    expect(
      mailsAbout(hook)
        .flatMap(({ to }) => to)
        .sort(),
    ).toEqual(owners.map(({ email }) => email).sort());
    const [{ text }] = mailsAbout(hook) as [ReceivedMail, ReceivedMail];
    for (const part of ['From: Claims API <no-reply@claims.example>', 'Subject: Webhook endpoint will be disabled: Month-end sync'])
      expect(text).toContain(part);
    expect(text.replace(/=\r?\n/g, '')).toContain(new Date(Date.parse(since) + 120 * HOUR_MS).toISOString());
    for (const secret of ['s3cr3t', admin.email]) expect(text).not.toContain(secret);
    expect(await noticesOf(hook)).toHaveLength(1);
    await eventually(async () => expect(await waiting(hook)).toEqual([]));
  });

  it('are told again when it fails again after a success, or after it was enabled', async () => {
    const hook = await openHook(app);
    await aUser(app, hook.organizationId, { role: 'owner' });
    await failingFor(hook, 100);
    await notify();
    await eventually(() => expect(mailsAbout(hook)).toHaveLength(1));
    await aProject(hook.api);
    await untilSettled(hook);
    await failingFor(hook, 100);
    await notify();
    await eventually(() => expect(mailsAbout(hook)).toHaveLength(2));
    await hook.change({ status: 'disabled' });
    await failingFor(hook, 100);
    await notify();
    expect(await noticesOf(hook)).toHaveLength(2);
    await hook.change({ status: 'active' });
    await failingFor(hook, 100);
    await notify();
    await eventually(() => expect(mailsAbout(hook)).toHaveLength(3));
  });

  it('have an entry in the audit log also where there is nobody to write to', async () => {
    const hook = await openHook(app);
    await failingFor(hook, 100);
    await notify();
    expect(await noticesOf(hook)).toHaveLength(1);
    expect(mailsAbout(hook)).toEqual([]);
  });
});

describe('the mail', () => {
  it('of a process that died before it was sent is sent by another one', async () => {
    const dying = await startApp({ DATABASE_URL: app.databaseUrl, ...DELIVERING, ROLE: 'api', SMTP_URL: server.url, MAIL_FROM });
    const hook = await openHook(app);
    await aUser(app, hook.organizationId, { role: 'owner' });
    await failingFor(hook, 100);
    // No worker runs in this process, so all that it leaves behind is the row.
    await notify(dying);
    expect(await waiting(hook)).toHaveLength(1);
    await app.app.get(MailOutbox).send();
    await eventually(() => expect(mailsAbout(hook)).toHaveLength(1));
  });

  it('waits while the mail server is away, and has the same Message-ID with each attempt', async () => {
    const away = await startMailServer();
    await away.close();
    const own = await startDelivering({ SMTP_URL: away.url, MAIL_FROM });
    const hook = await openHook(own);
    await aUser(own, hook.organizationId, { role: 'owner' });
    await failingFor(hook, 100, own);
    await notify(own);
    await eventually(async () => expect(await waiting(hook, own)).toEqual([{ attempts: 1 }]));
    const back = await startMailServer(away.port);
    // Its microseconds are no later than the milliseconds of the process.
    const [mail] = await rowsOf<{ id: string }>(
      own.databaseUrl,
      "UPDATE outgoing_mails SET next_attempt_at = now() - interval '1 second' RETURNING id",
    );
    await own.app.get(MailOutbox).send();
    await eventually(() => expect(back.mails).toHaveLength(1));
    expect(back.mails[0]!.text).toContain(`Message-ID: <${mail!.id}@127.0.0.1>`);
    await eventually(async () => expect(await waiting(hook, own)).toEqual([]));
    await own.close();
    await back.close();
  });

  it('is given up after a day', async () => {
    const own = await startDelivering({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM, ROLE: 'api' });
    const hook = await openHook(own);
    await aUser(own, hook.organizationId, { role: 'owner' });
    await failingFor(hook, 100, own);
    await notify(own);
    await rowsOf(own.databaseUrl, `UPDATE outgoing_mails SET created_at = now() - interval '25 hours'`);
    await own.app.get(MailOutbox).send();
    expect(await waiting(hook, own)).toEqual([]);
    await own.close();
  });

  it('is a file in DATA_DIR where no mail server is set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'claims-mail-'));
    const own = await startDelivering({ DATA_DIR: folder, ROLE: 'api' });
    const hook = await openHook(own);
    const { email } = await aUser(own, hook.organizationId, { role: 'owner' });
    await failingFor(hook, 100, own);
    await notify(own);
    await own.app.get(MailOutbox).send();
    const [file, ...others] = await readdir(join(folder, 'mail'));
    expect([file, others]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.eml$/), []]);
    expect(await readFile(join(folder, 'mail', file!), 'utf8')).toContain(`To: ${email}`);
    await own.close();
    await rm(folder, { recursive: true });
  });
});
