import { Injectable } from '@nestjs/common';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeContext } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { Log } from '../../kernel/log.js';
import { counter } from '../../kernel/metrics.js';
import { Settings } from '../../kernel/settings/settings.js';
import { DatabaseClock } from '../database/database-clock.js';
import { Database } from '../database/database.js';
import { entityColumns, selectList } from '../database/sql.js';
import { insertion, type InTransaction } from '../database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, organizationSql, isStayingSql } from '../tenant/tenant-sql.js';
import { Implements, Ports } from '../discovery/ports.js';
import { Job } from '../jobs/job.decorator.js';
import { WakeUps } from '../jobs/wake-ups.js';
import { COUNTED_ROWS, type Waiting, WaitingWork } from '../metrics/gauges.js';
import { type Mail, Mailer } from './mailer.js';
import { OutgoingMail } from './outgoing-mail.entity.js';

/** How long a mail server may be silent. */
const SILENCE_MS = 10_000;
const MAIL_FOLDER = 'mail';

/** Sends mail: by the port, or else by SMTP_URL. */
@Injectable()
export class MailSender {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  get sendsMail(): boolean {
    return this.ports.only(Mailer) !== undefined || this.settings.smtpUrl !== undefined;
  }

  /** Returns whether the mail was accepted for sending: not where this installation sends no mail. Throws when sending fails. */
  async send(mail: Mail): Promise<boolean> {
    const own = this.ports.only(Mailer);
    if (own) return own.send(mail);
    const { smtpUrl: url } = this.settings;
    if (url === undefined) return false;
    const { createTransport } = await load();
    const limits = { connectionTimeout: SILENCE_MS, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS };
    await createTransport({ url, ...limits }).sendMail(this.messageOf(mail));
    return true;
  }

  async write(mail: Mail, name: string): Promise<string> {
    const { createTransport } = await load();
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(this.messageOf(mail));
    const folder = join(this.settings.dataDir, MAIL_FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${name}.eml`);
    await writeFile(file, message as Buffer, { mode: 0o600 });
    return file;
  }

  private messageOf({ messageId, ...mail }: Mail) {
    return { from: this.settings.mailFrom, ...mail, ...(messageId !== undefined && { messageId }) };
  }
}

/** Most processes never send a mail. */
const load = () => import('nodemailer');

const SEND_JOB = 'mail.send';
const POLL_INTERVAL_MS = 60_000;
const AT_ONCE = 10;
/** The delay after the first failure; it doubles with each further one. Longer than an attempt can take. */
const FIRST_DELAY_MINUTES = 2;
const GIVEN_UP_AFTER_MS = 86_400_000;

const DUE = acrossTenants(
  'outgoing_mails.due',
  'A worker finds the mails of all organizations that are to be sent.',
  `SELECT id, organization_id AS "organizationId" FROM outgoing_mails WHERE next_attempt_at <= :now AND ${isStayingSql('outgoing_mails')}
    ORDER BY next_attempt_at LIMIT ${AT_ONCE}`,
);
/** Finds nothing if another worker has taken the mail. */
const TAKE = organizationSql(
  'outgoing_mails.take',
  `UPDATE outgoing_mails SET attempts = attempts + 1,
      next_attempt_at =
        (:now::timestamptz AT TIME ZONE 'UTC' + interval '${FIRST_DELAY_MINUTES} minutes' * power(2, attempts)) AT TIME ZONE 'UTC'
    WHERE id = :id AND ${ORGANIZATION} AND next_attempt_at <= :now
    RETURNING ${selectList(entityColumns(OutgoingMail))}`,
);
const WAITING = acrossTenants(
  'outgoing_mails.waiting',
  'An operator is told how many mails of all organizations wait.',
  `SELECT count(*)::int AS length, min(created_at) AS since
    FROM (SELECT created_at FROM outgoing_mails ORDER BY next_attempt_at LIMIT ${COUNTED_ROWS}) first`,
);
const REMOVE = organizationSql('outgoing_mails.remove', `DELETE FROM outgoing_mails WHERE id = :id AND ${ORGANIZATION}`);
const OUTCOMES = ['sent', 'written', 'failed'].map((outcome) => ({ outcome }));
const SENT = counter('mails_total', 'Attempts to send a mail, by how they ended.', ['outcome'], OUTCOMES);

type Queued = Pick<Mail, 'to' | 'subject' | 'text'> & { readonly html?: string | null };

/** Mails that are written in the transaction of what they tell about, and sent after it. */
@Implements(WaitingWork)
export class MailOutbox implements WaitingWork {
  readonly table = 'outgoing_mails';

  constructor(
    private readonly database: Database,
    private readonly sender: MailSender,
    private readonly wakeUps: WakeUps,
    private readonly settings: Settings,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  /** No crash loses the mail. If one comes right after it was sent, it is sent again, with the same Message-ID. */
  queue({ unit, organizationId }: InTransaction<ChangeContext>, { to, subject, text, html = null }: Queued): void {
    const now = this.clock.timestamp();
    const mail = { id: newId(), organizationId, recipient: to, subject, text, html, attempts: 0, createdAt: now, nextAttemptAt: now };
    unit.lastWrites.push(insertion(OutgoingMail, mail));
    unit.afterCommit.push(() => this.wakeUps.wake(SEND_JOB));
  }

  @Job({
    id: SEND_JOB,
    summary: 'Sends mail; without SMTP_URL, writes it to files in DATA_DIR. Tries for a day.',
    everyMs: POLL_INTERVAL_MS,
  })
  async send(): Promise<void> {
    for (;;) {
      const due = await this.database.rows<Pick<OutgoingMail, 'id' | 'organizationId'>>(...DUE.bind({ now: this.clock.timestamp() }));
      for (const { id, organizationId } of due) {
        const [mail] = await this.database.rows<OutgoingMail>(...TAKE.bind({ organizationId }, { now: this.clock.timestamp(), id }));
        if (mail) await this.deliver(mail);
      }
      if (due.length < AT_ONCE) return;
    }
  }

  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(...WAITING.bind()))[0]!;
  }

  private async deliver({ id, organizationId, recipient: to, subject, text, html, attempts, createdAt }: OutgoingMail): Promise<void> {
    const mail = { to, subject, text, ...(html !== null && { html }), messageId: `<${id}@${new URL(this.settings.publicUrl).hostname}>` };
    try {
      const isSent = await this.sender.send(mail);
      if (!isSent) this.log.info({ file: await this.sender.write(mail, id) }, 'mail written to a file');
      SENT.inc({ outcome: isSent ? 'sent' : 'written' });
    } catch (error) {
      SENT.inc({ outcome: 'failed' });
      const isOver = this.clock.now().getTime() - Date.parse(createdAt) > GIVEN_UP_AFTER_MS;
      this.log.error({ err: error, mail: id, attempts }, isOver ? 'mail given up' : 'mail not sent: it is tried again');
      if (!isOver) return;
    }
    await this.database.rows(...REMOVE.bind({ organizationId }, { id }));
  }
}
