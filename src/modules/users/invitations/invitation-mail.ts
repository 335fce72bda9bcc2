import { Injectable } from '@nestjs/common';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Ports } from '../../../store/discovery/ports.js';
import { INVITATION_DAYS } from './invitation-token.js';
import { Mailer } from './mailer.js';

/** Makes the link of an invitation and sends it, if this installation can send mail. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
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
    return (await this.ports.only(Mailer)?.send({ to, subject: `Your invitation to ${API_NAME}`, text })) ?? false;
  }
}
