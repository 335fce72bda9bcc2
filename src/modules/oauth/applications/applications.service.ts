import { Injectable } from '@nestjs/common';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Clock } from '../../../kernel/time.js';
import { type Environment, changeContext, type Actor } from '../../../kernel/context.js';
import { type WriteContext, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { isUuid, newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Registry } from '../../../api/operation/registry.js';
import { changedProperties } from '../../../kernel/changes.js';
import type { Application, ApplicationStatus, GrantType } from './application.entity.js';
import { requireValidApplication } from './application-rules.js';
import { ApplicationsRepository } from './applications.repository.js';
import { readPublicKeys } from './public-keys.js';
import { hashSecret, makeClientId, makeClientSecret } from './client-secret.js';

export interface NewApplication {
  readonly organizationId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly grants: readonly GrantType[];
  readonly redirectUris: readonly string[];
  /** `all` means the scopes that exist when the application is created. */
  readonly scopes: readonly string[] | 'all';
  readonly isPublic: boolean;
  readonly isPending: boolean;
  /** A file with public keys, for a confidential application that has no secret. */
  readonly publicKeys?: string;
}

/** The secret is shown once. Only its hash is stored. null for an application that is public or has keys. */
export interface IssuedApplication {
  readonly row: Application;
  readonly clientSecret: string | null;
}

/** The fields that the audit log shows. */
const AUDITED = ['name', 'clientId', 'isPublic', 'publicKeys', 'grants', 'redirectUris', 'scopes', 'status'] as const;

/** Of keys, the audit log shows the names. */
const audited = (row: Application, field: keyof Application): unknown =>
  field === 'publicKeys' ? (row.publicKeys?.keys.map(({ kid }) => kid) ?? null) : row[field];

/** Creates and changes partner applications, for the operator. */
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

  create(actor: Actor, { isPending, ...wanted }: NewApplication): Promise<IssuedApplication> {
    const now = this.clock.timestamp();
    const publicKeys = wanted.publicKeys === undefined ? null : readPublicKeys(wanted.publicKeys);
    const clientSecret = wanted.isPublic || publicKeys ? null : makeClientSecret();
    const row: Application = {
      ...wanted,
      id: newId(),
      createdAt: now,
      updatedAt: now,
      clientId: makeClientId(),
      status: isPending ? 'pending' : 'approved',
      grants: [...new Set(wanted.grants)],
      redirectUris: [...new Set(wanted.redirectUris)],
      scopes: wanted.scopes === 'all' ? this.registry.scopes : [...new Set(wanted.scopes)].sort(),
      secretHash: clientSecret === null ? null : hashSecret(clientSecret),
      secretHint: clientSecret?.slice(-4) ?? null,
      previousSecretHash: null,
      previousSecretExpiresAt: null,
      sharedClientId: null,
      publicKeys,
    };
    requireValidApplication(row, this.rules);
    return this.inUnit(actor, row, async (ctx) => {
      await this.applications.insert(ctx, row);
      this.audit.record(ctx, {
        action: 'application.created',
        resourceId: row.id,
        changes: Object.fromEntries(AUDITED.map((field) => [field, { from: null, to: audited(row, field) }])),
      });
      return { row, clientSecret };
    });
  }

  /** Takes effect on every replica within a second. The tokens of a suspended application work again once it is approved again. */
  async setStatus(actor: Actor, id: string, status: ApplicationStatus): Promise<Application> {
    return this.change(actor, id, status === 'suspended' ? 'application.suspended' : 'application.approved', (before) => ({
      ...before,
      status,
    }));
  }

  /** Replaces the keys, and the secret if the application had one. An overlap is a file with the old and the new key. */
  async setPublicKeys(actor: Actor, id: string, text: string): Promise<Application> {
    const publicKeys = readPublicKeys(text);
    return this.change(actor, id, 'application.keys_changed', (before) => {
      const after = { ...before, publicKeys, secretHash: null, secretHint: null, previousSecretHash: null, previousSecretExpiresAt: null };
      requireValidApplication(after, this.rules);
      return after;
    });
  }

  /** The old secret stays valid for the overlap. */
  async rotateSecret(actor: Actor, id: string, overlapMs: number): Promise<IssuedApplication> {
    const clientSecret = makeClientSecret();
    const previousSecretExpiresAt = new Date(this.clock.now().getTime() + overlapMs).toISOString();
    const row = await this.change(actor, id, 'application.secret_rotated', (before) => {
      if (before.isPublic || before.publicKeys) throw Problem.notFound(`secret of application ${id}: it is public, or has keys`);
      return {
        ...before,
        secretHash: hashSecret(clientSecret),
        secretHint: clientSecret.slice(-4),
        previousSecretHash: before.secretHash,
        previousSecretExpiresAt,
      };
    });
    return { row, clientSecret };
  }

  private async change(actor: Actor, id: string, action: AuditAction, make: (before: Application) => Application): Promise<Application> {
    const found = isUuid(id) ? await this.applications.byId(id) : undefined;
    if (!found) throw Problem.notFound(`application ${id}`);
    return this.inUnit(actor, found, async (ctx) => {
      const before = (await this.applications.lock(ctx, id))!;
      const after = make(before);
      const changed = changedProperties(before, after);
      if (changed.length === 0) return before;
      after.updatedAt = this.clock.timestamp();
      await this.applications.update(ctx, after, [...changed, 'updatedAt']);
      const shown = changed.filter((field) => !field.endsWith('Hash'));
      this.audit.record(ctx, {
        action,
        resourceId: id,
        changes: Object.fromEntries(shown.map((field) => [field, { from: audited(before, field), to: audited(after, field) }])),
      });
      return after;
    });
  }

  private get rules() {
    return { known: this.registry.scopes, schemes: this.settings.redirectSchemes };
  }

  private inUnit<T>(
    actor: Actor,
    { organizationId, environment }: Pick<Application, 'organizationId' | 'environment'>,
    change: (ctx: WriteContext) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run({ ...changeContext(organizationId, actor, environment), environment }, change);
  }
}
