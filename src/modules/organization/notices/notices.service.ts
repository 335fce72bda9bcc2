import { Injectable } from '@nestjs/common';
import { pathOf } from '../../../api/console/page-context.js';
import { letter, type LetterPart } from '../../../api/mail/letter.js';
import type { ChangeContext } from '../../../kernel/context.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';
import { Ports } from '../../../store/discovery/ports.js';
import { MailOutbox } from '../../../store/mail/mail-outbox.js';
import { NoticeRecipients, type Notice } from './notice.js';
import { NoticesRepository } from './notices.repository.js';

/** What a notice tells: names of records, and nothing that only those who sign in may see. */
export interface NoticeText {
  readonly subject: string;
  readonly parts: readonly LetterPart[];
  /** The page of the console that shows more. */
  readonly page: { readonly label: string; readonly path: readonly string[] };
}

/** Sends notices to the owners of organizations. */
@Injectable()
export class Notices {
  constructor(
    private readonly notices: NoticesRepository,
    private readonly mail: MailOutbox,
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Part of the transaction of what it tells about: there is a mail exactly if that has happened. */
  async send(ctx: InTransaction<ChangeContext>, { kind, pauseMs }: Notice, { subject, parts, page }: NoticeText): Promise<void> {
    const { organizationId, unit } = ctx;
    const name = await this.notices.nameOf(organizationId, unit);
    if (name === undefined) return;
    const addresses = await this.ports.only(NoticeRecipients)!.addressesOf(ctx);
    if (addresses.length === 0) return;
    const now = this.clock.now();
    const notSince = pauseMs === undefined ? null : new Date(now.getTime() - pauseMs).toISOString();
    if (!(await this.notices.claim(organizationId, kind, { now: now.toISOString(), notSince }, unit))) return;
    const href = (...path: readonly string[]) => this.settings.publicUrl + pathOf({ environment: ctx.environment ?? 'live' }, ...path);
    const mail = letter(subject, [
      ...parts,
      { label: page.label, href: href(...page.path) },
      `You get this mail as an owner of ${name} in ${API_NAME}. Owners and admins choose which of these mails owners get: ` +
        href('organization', 'edit#mail'),
    ]);
    for (const to of addresses) this.mail.queue(ctx, { to, ...mail });
  }
}
