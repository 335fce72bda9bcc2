import { Injectable } from '@nestjs/common';
import { letter } from '../../../api/mail/letter.js';
import { changeContext, type Actor } from '../../../kernel/context.js';
import { API_NAME } from '../../../kernel/product.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { MailOutbox } from '../../../store/mail/mail-outbox.js';
import { OrganizationService } from '../../organization/index.js';
import type { UserFacts } from '../../users/index.js';
import { LINK_MINUTES, OneTimeLinks } from '../sessions/one-time-links.js';

@Injectable()
export class NewPasswordLetters {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly organizations: OrganizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly mail: MailOutbox,
  ) {}

  /** One letter to an account, whatever number of organizations it has users in. */
  async write(users: readonly UserFacts[], call: Required<Actor>['call']): Promise<void> {
    const [user] = users;
    if (!user) return;
    const names = (await this.organizations.namesOf(users.map(({ organizationId }) => organizationId))).map(({ name }) => name);
    // Nobody is signed in: whoever asked may be somebody else.
    const context = changeContext(user.organizationId, { type: 'user', id: null, name: user.email, call });
    await this.unitOfWork.run(context, async (ctx) => {
      const { link } = await this.links.issue('new_password', user.id, ctx.unit);
      this.audit.record(ctx, { action: 'user.password_reset_asked', resourceId: user.id, changes: {} });
      this.mail.queue(ctx, { to: user.email, ...newPasswordLetter(link, names) });
    });
  }
}

const newPasswordLetter = (href: string, organizations: readonly string[]) =>
  letter(`Choose a new password for ${API_NAME}`, [
    `Somebody, most likely you, asked for a new password for your account at ${API_NAME} (${organizations.join(', ')}).`,
    { label: 'Choose a new password', href },
    `The link works once, within ${LINK_MINUTES} minutes. If you did not ask for it, ignore this mail: your password stays as it is.`,
  ]);
