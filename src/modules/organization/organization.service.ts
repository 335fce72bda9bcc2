import { Injectable } from '@nestjs/common';
import { changedProperties, given } from '../../kernel/changes.js';
import { Clock } from '../../kernel/time.js';
import { changeContext, type Actor } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import type { Plans } from '../../kernel/plans.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Events } from '../../store/events/events.js';
import { StatusNotice } from './notices/notices.service.js';
import { OrganizationDto } from './organization.dto.js';
import type { Organization } from './organization.entity.js';
import { OrganizationLimits } from './organization-limits.js';
import { OrganizationUpdated } from './organization.events.js';
import { OrganizationRepository } from './organization.repository.js';
import { beingErased, missing, requireChange, type OrganizationChange } from './organization-rules.js';

export type { OrganizationChange };

@Injectable()
export class OrganizationService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly limits: OrganizationLimits,
    private readonly statusNotice: StatusNotice,
  ) {}

  /** The plans that organizations can have. */
  get plans(): Plans {
    return this.limits.plans;
  }

  all(): Promise<Organization[]> {
    return this.organizations.all();
  }

  async byId(id: string): Promise<Organization> {
    return (await this.organizations.byId(id)) ?? missing(id);
  }

  findNames(ids: readonly string[]): Promise<Pick<Organization, 'id' | 'name'>[]> {
    return this.organizations.findNames(ids);
  }

  /** The record as the API returns it. */
  present(organization: Organization): OrganizationDto {
    return OrganizationDto.from(organization, this.limits.list(organization));
  }

  /** The organization of an id or a slug, as operators give it on the command line. */
  async named(idOrSlug: string): Promise<Organization> {
    const found = (await this.find(idOrSlug)) ?? missing(idOrSlug);
    if (await this.organizations.isBeingErased(found.id)) beingErased(idOrSlug);
    return found;
  }

  /** The same, also while it is being erased. */
  find(idOrSlug: string): Promise<Organization | undefined> {
    return isUuid(idOrSlug) ? this.organizations.byId(idOrSlug) : this.organizations.bySlug(idOrSlug);
  }

  async change(actor: Actor, id: string, change: OrganizationChange): Promise<Organization> {
    requireChange(change, this.plans);
    return this.unitOfWork.run({ ...changeContext(id, actor), emits: [OrganizationUpdated] }, async (ctx) => {
      const before = (await this.organizations.lock(id, ctx.unit)) ?? missing(id);
      if (await this.organizations.isBeingErased(id, ctx.unit)) beingErased(id);
      const after = { ...before, ...given(change) };
      if (changedProperties(before, after).length === 0) return before;
      after.updatedAt = this.clock.timestamp();
      await this.organizations.update(after, ctx.unit);
      this.events.appendToAll(ctx, OrganizationUpdated, { before: this.present(before), after: this.present(after) });
      if (after.status !== before.status) await this.statusNotice.tell(ctx, after);
      return after;
    });
  }
}
