import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { letter } from '../../../api/mail/letter.js';
import type { ChangeContext } from '../../../kernel/context.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';
import { MailOutbox, MailSender } from '../../../store/mail/mail-outbox.js';

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** Lets secret scanners recognize a token. */
const PREFIX = 'invite_';

export const makeToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

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
  queue(ctx: InTransaction<ChangeContext>, to: string, organizationName: string, link: string): boolean {
    if (!this.sender.sendsMail) return false;
    const invitation = letter(`Your invitation to ${API_NAME}`, [
      `You are invited to ${organizationName} at ${API_NAME}. Accept within ${INVITATION_DAYS} days:`,
      { label: 'Accept the invitation', href: link },
      'The link works once. If you did not expect this mail, you can ignore it.',
    ]);
    this.outbox.queue(ctx, { to, ...invitation });
    return true;
  }
}
