import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../kernel/audit-actions.js';
import { changeContext, type Actor } from '../../kernel/context.js';
import type { AnyStatus } from '../../kernel/organization-status.js';
import { StartError } from '../../kernel/settings/settings.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { OrganizationRepository } from './organization.repository.js';
import { beingErased, missing } from './organization-rules.js';

/** How far the move of an organization is, where it leaves. A step can be repeated. */
@Injectable()
export class MovesService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
  ) {}

  /** From now on calls are refused, and nothing is written but what workers have begun. */
  begin(actor: Actor, id: string, address: string): Promise<void> {
    return this.step(actor, id, ['active', 'moving'], 'organization.move_begun', { installation: { from: null, to: address } });
  }

  /** Opens it again. The caller knows that it was not imported. */
  abort(actor: Actor, id: string): Promise<void> {
    return this.step(actor, id, ['moving', 'active'], 'organization.move_aborted');
  }

  /** From now on its callers are told that it is elsewhere. */
  finish(actor: Actor, id: string): Promise<void> {
    return this.step(actor, id, ['moving', 'moved'], 'organization.moved_out');
  }

  private step(actor: Actor, id: string, [from, to]: [AnyStatus, AnyStatus], action: AuditAction, changes = {}): Promise<void> {
    return this.unitOfWork.run({ ...changeContext(id, actor), isMove: true }, async (ctx) => {
      const organization = (await this.organizations.lock(id, ctx.unit)) ?? missing(id);
      if (await this.organizations.isBeingErased(id, ctx.unit)) beingErased(id);
      if (organization.status === to) return;
      if (organization.status !== from)
        throw new StartError(`Nothing was changed: the organization is ${organization.status}, not ${from}.`);
      await this.organizations.update({ ...organization, status: to }, ctx.unit);
      this.audit.record(ctx, { action, resourceId: id, changes });
    });
  }
}
