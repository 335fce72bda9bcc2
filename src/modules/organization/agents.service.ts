import { Injectable } from '@nestjs/common';
import { CONFIRMATION_RULES, type ConfirmationRules, CONFIRMED_RISKS } from '../../kernel/confirmation-rules.js';
import { changedProperties, changesBetween } from '../../kernel/changes.js';
import { changeContext, type Actor, ENVIRONMENTS } from '../../kernel/context.js';
import { Problem } from '../../kernel/problems.js';
import { Clock } from '../../kernel/time.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { OrganizationRepository } from './organization.repository.js';

/** Who agrees to what models change by tools. In force everywhere within a second. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async setRules(actor: Actor, id: string, confirmations: ConfirmationRules): Promise<void> {
    for (const environment of ENVIRONMENTS)
      for (const risk of CONFIRMED_RISKS)
        if (!CONFIRMATION_RULES.some((rule) => rule === confirmations[environment]?.[risk]))
          throw Problem.invalidField(`${environment}.${risk}`, 'not_allowed', 'must be one of the choices');
    await this.unitOfWork.run(changeContext(id, actor), async (ctx) => {
      const before = await this.organizations.lock(id, ctx.unit);
      const after = { ...before, confirmations };
      if (changedProperties(before, after).length === 0) return;
      await this.organizations.update({ ...after, updatedAt: this.clock.timestamp() }, ctx.unit);
      this.audit.record(ctx, { action: 'organization.agents_changed', resourceId: id, changes: changesBetween(before, after) });
    });
  }
}
