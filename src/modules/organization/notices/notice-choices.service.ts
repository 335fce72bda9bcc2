import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Ports } from '../../../store/discovery/ports.js';
import { beingErased, missing } from '../organization-rules.js';
import { OrganizationRepository } from '../organization.repository.js';
import { Notice } from './notices.service.js';
import { NoticesRepository } from './notices.repository.js';

export interface NoticeChoice extends Pick<Notice, 'kind' | 'when'> {
  readonly isOn: boolean;
}

/** Which notices an organization wants. */
@Injectable()
export class NoticeChoices {
  constructor(
    private readonly notices: NoticesRepository,
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly ports: Ports,
  ) {}

  /** Every kind that there is. */
  async list(organizationId: string): Promise<NoticeChoice[]> {
    const off = await this.notices.off(organizationId);
    return this.ports.all(Notice).map(({ kind, when }) => ({ kind, when, isOn: !off.includes(kind) }));
  }

  /** The organization gets these kinds of notices, and no others. */
  async change(actor: Actor, id: string, wanted: readonly string[]): Promise<void> {
    const known = this.ports.all(Notice).map(({ kind }) => kind);
    const unknown = wanted.find((kind) => !known.includes(kind));
    if (unknown !== undefined)
      throw Problem.invalidField('notices', 'not_allowed', `contains ${unknown}, which is not one of ${known.join(', ')}`);
    await this.unitOfWork.run(changeContext(id, actor), async (ctx) => {
      // Two changes at the same time wait for each other: the audit log has what each has found.
      if (!(await this.organizations.lock(id, ctx.unit))) missing(id);
      if (await this.organizations.isBeingErased(id, ctx.unit)) beingErased(id);
      const off = await this.notices.off(id, ctx.unit);
      const changed = known.filter((kind) => off.includes(kind) === wanted.includes(kind));
      if (changed.length === 0) return;
      for (const kind of changed) await this.notices.switch(id, kind, !wanted.includes(kind), ctx.unit);
      const notices = { from: known.filter((kind) => !off.includes(kind)), to: known.filter((kind) => wanted.includes(kind)) };
      this.audit.record(ctx, { action: 'organization.notices_changed', resourceId: id, changes: { notices } });
    });
  }
}
