import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../api/limits/organization-limit.js';
import { changedProperties, changesBetween, given } from '../../kernel/changes.js';
import { Clock } from '../../kernel/time.js';
import { changeContext, type Actor } from '../../kernel/context.js';
import { isUuid, newId } from '../../kernel/ids.js';
import { tierOf, type Plans } from '../../kernel/plans.js';
import { Settings } from '../../kernel/settings/settings.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Ports } from '../../store/discovery/ports.js';
import { Events } from '../../store/events/events.js';
import { StatusNotice } from './notices/notices.service.js';
import { ORGANIZATION_FIELDS, OrganizationDto, type OrganizationLimitsDto, OrganizationUpdated } from './organization.dto.js';
import type { Organization } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';
import { beingErased, explainDuplicate, missing, requireChange, requireNew, slugOf } from './organization-rules.js';
import type { OrganizationChange } from './organization-rules.js';

/** How many records there may be is a setting. A limit of a plan is declared by the module that enforces it; else it is 0. */
@Injectable()
export class OrganizationLimits {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  get plans(): Plans {
    return this.settings.plans;
  }

  get requireSecondFactor(): boolean {
    return this.settings.requireSecondFactor;
  }

  list(organization: Pick<Organization, 'id' | 'plan'>): OrganizationLimitsDto {
    const { plan } = organization;
    const { perMinute, burst } = tierOf(this.settings.rateLimits, organization);
    const limit = (name: string): number =>
      this.ports
        .all(OrganizationLimit)
        .find((candidate) => candidate.name === name)
        ?.of(plan) ?? 0;
    const { recordLimits } = this.settings;
    return { ...recordLimits, rateTier: plan, requestsPerMinute: perMinute, burst, apiKeys: limit('apiKeys'), webhooks: limit('webhooks') };
  }
}

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

  /** As its owners or the operator want it. */
  requiresSecondFactor({ requireSecondFactor }: Pick<Organization, 'requireSecondFactor'>): boolean {
    return requireSecondFactor || this.limits.requireSecondFactor;
  }

  present(organization: Organization): OrganizationDto {
    const requireSecondFactor = this.requiresSecondFactor(organization);
    return OrganizationDto.from({ ...organization, requireSecondFactor }, this.limits.list(organization));
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
    ORGANIZATION_FIELDS.requireValid(change);
    return this.unitOfWork.run({ ...changeContext(id, actor), emits: [OrganizationUpdated] }, async (ctx) => {
      const before = await this.organizations.lockKept(id, ctx.unit);
      const after = { ...before, ...given(change), ...ORGANIZATION_FIELDS.stored(change, before) };
      if (changedProperties(before, after).length === 0) return before;
      after.updatedAt = this.clock.timestamp();
      await this.organizations.update(after, ctx.unit);
      this.events.appendToAll(ctx, OrganizationUpdated, { before: this.present(before), after: this.present(after) });
      if (after.status !== before.status) await this.statusNotice.tell(ctx, after);
      return after;
    });
  }
}

export type NewOrganization = Pick<Organization, 'name'> & Partial<Pick<Organization, 'slug' | 'plan'>>;

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
    requireNew({ name, slug, plan }, this.settings.plans);
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
      forgetsPeople: true,
      confirmations: null,
      customFields: {},
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
