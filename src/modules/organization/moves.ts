import { Injectable } from '@nestjs/common';
import type { Changes } from '../../kernel/changes.js';
import { changeContext, type Actor } from '../../kernel/context.js';
import { StartError } from '../../kernel/settings/settings.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { OrganizationRepository } from './organization.repository.js';

/** The steps of a move, where an organization leaves. */
const STEPS = {
  begin: { from: 'active', to: 'moving', action: 'organization.move_begun' },
  /** The operator knows that it was not imported. */
  abort: { from: 'moving', to: 'active', action: 'organization.move_aborted' },
  finish: { from: 'moving', to: 'moved', action: 'organization.moved_out' },
} as const;

@Injectable()
export class MovesService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
  ) {}

  /** Can be repeated. */
  take(actor: Actor, id: string, step: keyof typeof STEPS, changes: Changes = {}): Promise<void> {
    const { from, to, action } = STEPS[step];
    return this.unitOfWork.run({ ...changeContext(id, actor), isMove: true }, async (ctx) => {
      const organization = await this.organizations.lockKept(id, ctx.unit);
      if (organization.status === to) return;
      if (organization.status !== from)
        throw new StartError(`Nothing was changed: the organization is ${organization.status}, not ${from}.`);
      await this.organizations.update({ ...organization, status: to }, ctx.unit);
      this.audit.record(ctx, { action, resourceId: id, changes });
    });
  }
}
