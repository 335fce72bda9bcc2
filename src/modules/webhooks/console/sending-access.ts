import type { PageContext } from '../../../api/console/page-context.js';
import { Problem } from '../../../kernel/problems.js';
import type { UserRole } from '../../../kernel/roles.js';
import { WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';

/** Users who may change endpoints may have them sent to. No operation of the API does that, so pages name the role themselves. */
export const SENDING_ROLE: UserRole = 'admin';

export function requireWebhooks({ organization }: Pick<PageContext, 'organization'>): void {
  if (!organization.includes(WEBHOOKS_PLAN)) throw new Problem('plan_required', { detail: `This needs the plan ${WEBHOOKS_PLAN}.` });
}
