import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { changesBetween } from '../../platform/audit/changes.js';
import { Clock } from '../../platform/clock/clock.js';
import { settingsContext, type SettingsActor } from '../../platform/context/settings-context.js';
import { brokenConstraint } from '../../platform/database/database.js';
import { isUuid, newId } from '../../platform/database/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/errors/problems.js';
import type { Plan } from '../../platform/limits/tiers.js';
import { changedProperties, given } from '../../platform/validation/given.js';
import { codePoints } from '../../platform/validation/text.js';
import { Organization, type OrganizationStatus } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';

export interface NewOrganization {
  name: string;
  slug?: string;
  plan?: Plan;
}

export interface OrganizationChange {
  name?: string;
  plan?: Plan;
  status?: OrganizationStatus;
}

const MAX_SLUG = 100;

@Injectable()
export class OrganizationService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  all(): Promise<Organization[]> {
    return this.organizations.all();
  }

  async byId(id: string): Promise<Organization> {
    return (await this.organizations.byId(id)) ?? missing(id);
  }

  /** By id or by slug, as people name it on the command line. */
  async named(idOrSlug: string): Promise<Organization> {
    const found = isUuid(idOrSlug) ? await this.organizations.byId(idOrSlug) : await this.organizations.bySlug(idOrSlug);
    return found ?? missing(idOrSlug);
  }

  async create(actor: SettingsActor, { name, slug = slugOf(name), plan = 'starter' }: NewOrganization): Promise<Organization> {
    requireName(name);
    requireSlug(slug);
    const now = this.clock.timestamp();
    const organization: Organization = { id: newId(), name, slug, plan, status: 'active', country: null, timeZone: 'UTC', billingCycleAnchor: now.slice(0, 10), createdAt: now, updatedAt: now };
    return this.unitOfWork.run(settingsContext(organization.id, actor), async (ctx) => {
      await this.organizations.insert(organization, ctx.unit).catch((error: unknown) => {
        if (brokenConstraint(error) !== 'organizations_slug_unique') throw error;
        throw new Problem('already_exists', { detail: `An organization with the slug ${slug} exists already.`, cause: error });
      });
      this.audit.record(ctx, { action: 'organization.created', resourceId: organization.id, changes: changesBetween(null, organization) });
      return organization;
    });
  }

  async change(actor: SettingsActor, id: string, change: OrganizationChange): Promise<Organization> {
    if (change.name !== undefined) requireName(change.name);
    return this.unitOfWork.run(settingsContext(id, actor), async (ctx) => {
      const before = (await this.organizations.lock(id, ctx.unit)) ?? missing(id);
      const after = { ...before, ...given(change) };
      if (changedProperties(before, after).length === 0) return before;
      after.updatedAt = this.clock.timestamp();
      await this.organizations.update(after, ctx.unit);
      this.audit.record(ctx, { action: 'organization.updated', resourceId: id, changes: changesBetween(before, after) });
      return after;
    });
  }
}

function slugOf(name: string): string {
  const ascii = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase();
  return ascii.replace(/[^a-z0-9]+/g, '-').slice(0, MAX_SLUG).replace(/^-+|-+$/g, '') || 'organization';
}

function requireName(name: string): void {
  if (name.trim() === '' || codePoints(name) > 200) throw bodyProblem('name', 'too_long', 'must have 1 to 200 characters');
}

/** A slug that looks like an id would be taken for one. */
function requireSlug(slug: string): void {
  if (slug.length > MAX_SLUG || isUuid(slug) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    throw bodyProblem('slug', 'invalid_slug', `must be of lower-case letters, digits and single hyphens, at most ${MAX_SLUG} in all, and no UUID`);
  }
}

function bodyProblem(field: string, code: string, message: string): Problem {
  return Problem.validation([{ location: 'body', field, code, message }]);
}

function missing(name: string): never {
  throw new Problem('not_found', { detail: `There is no organization ${name}.` });
}
