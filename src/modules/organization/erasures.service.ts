import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../kernel/context.js';
import { Clock } from '../../kernel/time.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { ErasuresRepository } from './erasures.repository.js';
import { OrganizationRepository } from './organization.repository.js';
import { missing } from './organization-rules.js';

@Injectable()
export class ErasuresService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly erasures: ErasuresRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  /** Ends all access, for good. Returns false if that was done before. */
  async begin(actor: Actor, id: string): Promise<boolean> {
    return this.unitOfWork.run(changeContext(id, actor), async (ctx) => {
      const organization = (await this.organizations.lock(id, ctx.unit)) ?? missing(id);
      if (await this.erasures.get(id, ctx.unit)) return false;
      const begunAt = this.clock.timestamp();
      await this.organizations.update({ ...organization, status: 'suspended', updatedAt: begunAt }, ctx.unit);
      const head = { auditSequence: null, auditHash: null };
      await this.erasures.insert(
        { organizationId: id, actorName: actor.name, begunAt, ...head, finishedAt: null, sweptAt: null },
        ctx.unit,
      );
      this.audit.record(ctx, { action: 'organization.erasure_begun', resourceId: id, changes: {} });
      return true;
    });
  }
  /** Deletes the record itself. From then on nothing is left of the organization but the proof. */
  async finish(id: string): Promise<void> {
    await this.unitOfWork.transact((unit) => this.erasures.finish(id, this.clock.timestamp(), unit));
  }
}
