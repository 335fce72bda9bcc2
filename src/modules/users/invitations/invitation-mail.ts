import { Inject, Injectable } from '@nestjs/common';
import { Log } from '../../../kernel/log.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { MailSender } from '../../../store/mail/mail-sender.js';
import { INVITATION_DAYS } from './invitation-token.js';

/** Makes the link of an invitation and sends it, if this installation can send mail. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly settings: Settings,
    private readonly sender: MailSender,
    @Inject(Log) private readonly log: Log,
  ) {}

  linkFor(token: string): string {
    return `${this.settings.publicUrl}/invitations/${token}`;
  }

  /** Returns whether the mail was accepted for sending. */
  async send(to: string, link: string): Promise<boolean> {
    const text = `You are invited to ${API_NAME}. Choose your password within ${INVITATION_DAYS} days:

${link}

The link works once. If you did not expect this mail, you can ignore it.
`;
    return this.sender.send({ to, subject: `Your invitation to ${API_NAME}`, text }).catch((error: unknown) => {
      // The user is invited all the same: whoever invites passes the link on.
      this.log.error({ err: error }, 'invitation not mailed');
      return false;
    });
  }
}
