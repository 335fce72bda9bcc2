import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../kernel/ids.js';
import { Log } from '../../kernel/log.js';
import { counter } from '../../kernel/metrics.js';
import { Settings } from '../../kernel/settings/settings.js';
import { DatabaseClock } from '../database/database-clock.js';
import { Database, type Statement } from '../database/database.js';
import { entityColumns, selectList } from '../database/sql.js';
import { type ChangeContext } from '../../kernel/context.js';
import { insertion, type InTransaction } from '../database/unit-of-work.js';
import { Implements } from '../discovery/ports.js';
import { COUNTED_ROWS, type Waiting, WaitingWork } from '../metrics/gauges.js';
import { Job } from '../jobs/job.decorator.js';
import { WakeUps } from '../jobs/wake-ups.js';
import { MailSender } from './mail-sender.js';
import type { Mail } from './mailer.js';
import { OutgoingMail } from './outgoing-mail.entity.js';

const SEND_JOB = 'mail.send';
const POLL_INTERVAL_MS = 60_000;
const AT_ONCE = 10;
/** The delay after the first failure; it doubles with each further one. Longer than an attempt can take. */
const FIRST_DELAY_MINUTES = 2;
const GIVEN_UP_AFTER_MS = 86_400_000;

const DUE: Statement = {
  name: 'outgoing_mails.due',
  text: `SELECT id, organization_id AS "organizationId" FROM outgoing_mails WHERE next_attempt_at <= $1
    ORDER BY next_attempt_at LIMIT ${AT_ONCE}`,
};
/** Finds nothing if another worker has taken the mail. */
const TAKE: Statement = {
  name: 'outgoing_mails.take',
  text: `UPDATE outgoing_mails SET attempts = attempts + 1,
      next_attempt_at =
        ($1::timestamptz AT TIME ZONE 'UTC' + interval '${FIRST_DELAY_MINUTES} minutes' * power(2, attempts)) AT TIME ZONE 'UTC'
    WHERE id = $2 AND organization_id = $3 AND next_attempt_at <= $1
    RETURNING ${selectList(entityColumns(OutgoingMail))}`,
};
const WAITING: Statement = {
  name: 'outgoing_mails.waiting',
  text: `SELECT count(*)::int AS length, min(created_at) AS since
    FROM (SELECT created_at FROM outgoing_mails ORDER BY next_attempt_at LIMIT ${COUNTED_ROWS}) first`,
};
const REMOVE: Statement = { name: 'outgoing_mails.remove', text: 'DELETE FROM outgoing_mails WHERE id = $1 AND organization_id = $2' };

const SENT = counter('mails_total', 'Attempts to send a mail, by how they ended.', ['outcome']);

type Queued = Pick<Mail, 'to' | 'subject' | 'text'> & { readonly html?: string | null };

/** Mails that are written in the transaction of what they tell about, and sent after it. */
@Implements(WaitingWork)
@Injectable()
export class MailOutbox implements WaitingWork {
  readonly table = 'outgoing_mails';

  constructor(
    private readonly database: Database,
    private readonly sender: MailSender,
    private readonly wakeUps: WakeUps,
    private readonly settings: Settings,
    private readonly clock: DatabaseClock,
    @Inject(Log) private readonly log: Log,
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
      const due = await this.database.rows<Pick<OutgoingMail, 'id' | 'organizationId'>>(DUE, [this.clock.timestamp()]);
      for (const { id, organizationId } of due) {
        const [mail] = await this.database.rows<OutgoingMail>(TAKE, [this.clock.timestamp(), id, organizationId]);
        if (mail) await this.deliver(mail);
      }
      if (due.length < AT_ONCE) return;
    }
  }

  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(WAITING, []))[0]!;
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
    await this.database.rows(REMOVE, [id, organizationId]);
  }
}
