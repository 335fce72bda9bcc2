import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { letter } from '../../../api/mail/letter.js';
import type { ChangeContext } from '../../../kernel/context.js';
import { wordingForCountry } from '../../../api/wording/page-wording.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';
import type { Organization } from '../../organization/index.js';
import { MailOutbox, MailSender } from '../../../store/mail/mail-outbox.js';

export const INVITATION_DAYS = 7;

/** Lets secret scanners recognize a token. */
const PREFIX = 'invite_';

export const makeToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The organization that somebody is invited to. They get the mail in the language of its country. */
type Inviting = Pick<Organization, 'name' | 'country'>;

/** Makes the link of an invitation and has it sent, if this installation sends mail. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly settings: Settings,
    private readonly sender: MailSender,
    private readonly outbox: MailOutbox,
  ) {}

  linkFor(token: string): string {
    return `${this.settings.publicUrl}/invitations/${token}`;
  }

  /**
   * Returns whether the mail will be sent. It is part of the transaction, so nobody gets a link that does not work. Without a way to
   * send mail nothing is queued: the inviter passes the link on.
   */
  queue(ctx: InTransaction<ChangeContext>, to: string, { name, country }: Inviting, link: string): boolean {
    if (!this.sender.sendsMail) return false;
    const { say, language } = wordingForCountry(country);
    const parts = [
      say('invitation.mailAbout', { product: API_NAME, organization: name, days: INVITATION_DAYS }),
      { label: say('invitation.mailAccept'), href: country === null ? link : `${link}?lang=${language}` },
      say('invitation.mailEnd'),
    ];
    const invitation = letter(say('invitation.mailSubject', { product: API_NAME }), parts, language);
    this.outbox.queue(ctx, { to, ...invitation });
    return true;
  }
}
