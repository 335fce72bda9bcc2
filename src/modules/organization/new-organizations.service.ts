import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../kernel/changes.js';
import { changeContext, type Actor } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import type { Organization } from './organization.entity.js';
import { explainDuplicate, requireName, requirePlan, requireSlug, slugOf } from './organization-rules.js';
import { OrganizationRepository } from './organization.repository.js';

export interface NewOrganization {
  name: string;
  slug?: string;
  plan?: Organization['plan'];
}

/** Creates organizations. */
@Injectable()
export class NewOrganizations {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async create(actor: Actor, { name, slug = slugOf(name), plan = 'starter' }: NewOrganization): Promise<Organization> {
    requireName(name);
    requireSlug(slug);
    requirePlan(plan, this.settings.plans);
    const now = this.clock.timestamp();
    const organization: Organization = {
      id: newId(),
      name,
      slug,
      plan,
      status: 'active',
      country: null,
      timeZone: 'UTC',
      billingCycleAnchor: now.slice(0, 10),
      redactCounterparties: true,
      keepNames: false,
      requireSecondFactor: false,
      createdAt: now,
      updatedAt: now,
    };
    return this.unitOfWork.run(changeContext(organization.id, actor), async (ctx) => {
      await this.organizations.insert(organization, ctx.unit).catch(explainDuplicate(slug));
      this.audit.record(ctx, { action: 'organization.created', resourceId: organization.id, changes: changesBetween(null, organization) });
      return organization;
    });
  }
}
