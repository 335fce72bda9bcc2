import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../../../kernel/context.js';
import { API_NAME } from '../../../kernel/product.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { Organization } from '../organization.entity.js';
import { Notice } from './notice.js';
import { Notices, type NoticeText } from './notices.service.js';

/** Tells the owners that the organization was suspended, or is active again. */
@Implements(Notice)
@Injectable()
export class StatusNotice implements Notice {
  readonly kind = 'organization_status';
  readonly when = 'The organization was suspended, or is active again.';

  constructor(private readonly notices: Notices) {}

  tell(ctx: InTransaction<ChangeContext>, organization: Organization): Promise<void> {
    return this.notices.send(ctx, this, organization.status === 'suspended' ? suspended(organization) : active(organization));
  }
}

const suspended = ({ name, updatedAt }: Organization): NoticeText => ({
  subject: `${name} was suspended`,
  parts: [
    `Your organization ${name} in ${API_NAME} was suspended at ${updatedAt}. Nobody can use its API keys, its applications or the ` +
      'console, and no webhooks are sent. Nothing was deleted.',
    'Contact support to find out why. The console opens again when the organization is active.',
  ],
  page: { label: 'Open the console', path: [] },
});

const active = ({ name, updatedAt }: Organization): NoticeText => ({
  subject: `${name} is active again`,
  parts: [
    `Your organization ${name} in ${API_NAME} is active again since ${updatedAt}. Its API keys, its applications and the console work ` +
      'as before. Events that webhook endpoints have missed can be replayed.',
  ],
  page: { label: 'Open the console', path: [] },
});
