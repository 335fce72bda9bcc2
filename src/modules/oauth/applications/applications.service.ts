import { Injectable } from '@nestjs/common';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Clock } from '../../../kernel/time.js';
import { changeContext, type Actor, type Tenant } from '../../../kernel/context.js';
import { type WriteContext, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { isUuid } from '../../../kernel/ids.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Registry } from '../../../api/operation/registry.js';
import { changedProperties } from '../../../kernel/changes.js';
import type { PageOf, PageRequest } from '../../../store/tenant/page.js';
import type { Application, ApplicationStatus } from './application.entity.js';
import { aNewSecret, auditedChanges, auditedCreation, changedBy, withPublicKeys, type ApplicationChange } from './application-changes.js';
import { applicationNotFound, heldByOperator, isOperator, requireValidApplication } from './application-rules.js';
import { ApplicationsRepository } from './applications.repository.js';
import { aNewApplication, type ApplicationFields, type IssuedApplication, type NewApplication } from './new-application.js';

/** Creates and changes partner applications, for the operator and for owners and admins in the console. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly registry: Registry,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  ofOrganization(organizationId: string): Promise<Application[]> {
    return this.applications.ofOrganization(organizationId);
  }

  /** The applications of an environment, newest first. Connections to shared applications are among them. */
  list(tenant: Tenant, request: PageRequest): Promise<PageOf<Application>> {
    return this.applications.page(tenant, request);
  }

  /** An application of this organization and environment. Who is no operator reads it here before changing it. */
  async get(tenant: Tenant, id: string): Promise<Application> {
    const application = isUuid(id) ? await this.applications.get(tenant, id) : undefined;
    if (!application) throw applicationNotFound(id);
    return application;
  }

  create(actor: Actor, wanted: NewApplication): Promise<IssuedApplication> {
    return this.inUnit(actor, wanted, (ctx) => this.createIn(ctx, wanted));
  }

  /** The same in an open transaction. What the operator leaves pending, only the operator approves. */
  async createIn(ctx: WriteContext, wanted: ApplicationFields): Promise<IssuedApplication> {
    const issued = aNewApplication(ctx, wanted, { now: this.clock.timestamp(), known: this.registry.scopes });
    const { row } = issued;
    await this.applications.insert(ctx, this.valid(row));
    this.audit.record(ctx, { action: 'application.created', resourceId: row.id, changes: auditedCreation(row) });
    return issued;
  }

  /** Takes effect within a second. */
  update(actor: Actor, id: string, change: ApplicationChange): Promise<Application> {
    return this.change(actor, id, 'application.updated', (before) => this.valid(changedBy(change, before, this.registry.scopes)));
  }

  /**
   * Takes effect on every replica within a second. The tokens of a suspended application work again once it is approved again. The
   * organization suspends and approves its own, but not what the operator has suspended or left pending.
   */
  setStatus(actor: Actor, id: string, status: ApplicationStatus): Promise<Application> {
    return this.change(actor, id, status === 'suspended' ? 'application.suspended' : 'application.approved', (before) => {
      if (before.heldByOperator && !isOperator(actor)) throw heldByOperator();
      return { ...before, status, heldByOperator: status !== 'approved' && isOperator(actor) };
    });
  }

  /** Replaces the keys, and the secret if the application had one. An overlap is a file with the old and the new key. */
  async setPublicKeys(actor: Actor, id: string, text: string): Promise<Application> {
    return this.change(actor, id, 'application.keys_changed', (before) => this.valid(withPublicKeys(before, text)));
  }

  async rotateSecret(actor: Actor, id: string, overlapMs: number): Promise<IssuedApplication> {
    const { organizationId, environment } = await this.byId(id);
    return this.inUnit(actor, { organizationId, environment }, (ctx) => this.rotateSecretIn(ctx, id, overlapMs));
  }

  /** The old secret stays valid for the overlap. One that was older ends at once. */
  async rotateSecretIn(ctx: WriteContext, id: string, overlapMs: number): Promise<IssuedApplication> {
    const { clientSecret, into } = aNewSecret(new Date(this.clock.now().getTime() + overlapMs).toISOString());
    return { row: await this.changeIn(ctx, id, 'application.secret_rotated', into), clientSecret };
  }

  private async change(actor: Actor, id: string, action: AuditAction, make: (before: Application) => Application): Promise<Application> {
    const { organizationId, environment } = await this.byId(id);
    return this.inUnit(actor, { organizationId, environment }, (ctx) => this.changeIn(ctx, id, action, make));
  }

  private async changeIn(
    ctx: WriteContext,
    id: string,
    action: AuditAction,
    make: (before: Application) => Application,
  ): Promise<Application> {
    const before = isUuid(id) ? await this.applications.lock(ctx, id) : undefined;
    if (!before) throw applicationNotFound(id);
    const after = make(before);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.timestamp();
    await this.applications.update(ctx, after, [...changed, 'updatedAt']);
    this.audit.record(ctx, { action, resourceId: id, changes: auditedChanges(before, after, changed) });
    return after;
  }

  private async byId(id: string): Promise<Application> {
    const found = isUuid(id) ? await this.applications.byId(id) : undefined;
    if (!found) throw applicationNotFound(id);
    return found;
  }

  private valid(row: Application): Application {
    requireValidApplication(row, { known: this.registry.scopes, schemes: this.settings.redirectSchemes });
    return row;
  }

  private inUnit<T>(
    actor: Actor,
    { organizationId, environment }: Pick<Application, 'organizationId' | 'environment'>,
    change: (ctx: WriteContext) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run({ ...changeContext(organizationId, actor, environment), environment }, change);
  }
}
