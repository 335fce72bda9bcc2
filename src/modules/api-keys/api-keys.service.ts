import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../api/limits/organization-limit.js';
import { limitsWanted, OWN_LIMIT_NAMES, type OwnLimits } from '../../api/limits/own-limits.js';
import { changedProperties, changesBetween, given, pick } from '../../kernel/changes.js';
import type { Actor, Tenant } from '../../kernel/context.js';
import { inWords } from '../../kernel/durations.js';
import { existing, notFound, Problem } from '../../kernel/problems.js';
import { API_NAME } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock, later } from '../../kernel/time.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { aNewRow } from '../../store/database/columns.js';
import { Database } from '../../store/database/database.js';
import { UnitOfWork, type WriteContext } from '../../store/database/unit-of-work.js';
import { Implements } from '../../store/discovery/ports.js';
import { Job } from '../../store/jobs/job.decorator.js';
import type { PageOf, PageRequest } from '../../store/tenant/page.js';
import { acrossTenants, TENANT, tenantSql, isStayingSql } from '../../store/tenant/tenant-sql.js';
import { OrganizationService, Notice, Notices, type NoticeText } from '../organization/index.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { hashKey, makeKey } from './key-format.js';
import { type KeyFields, KeyRules } from './key-rules.js';

const KEY = 'API key';
const MAX_OVERLAP_MS = 7 * 86_400_000;

export interface NewApiKey extends Tenant, Partial<OwnLimits> {
  readonly name: string;
  /** `all` means the scopes that exist when the key is created. */
  readonly scopes: readonly string[] | 'all';
  readonly ipAllowlist?: readonly string[];
  /** The only claim projects whose records it reaches; null: all. */
  readonly projectIds?: readonly string[] | null;
  readonly expiresInMs?: number;
}

export type ApiKeyChange = Partial<Pick<NewApiKey, 'name' | 'scopes' | 'ipAllowlist' | 'projectIds' | keyof OwnLimits>>;

/** The key is shown once. Only its hash is stored. */
export type IssuedKey = { readonly row: ApiKey; readonly key: string };

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly organizations: OrganizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly rules: KeyRules,
    private readonly clock: Clock,
  ) {}

  ofOrganization(organizationId: string): Promise<ApiKey[]> {
    return this.keys.ofOrganization(organizationId);
  }

  list(tenant: Tenant, request: PageRequest): Promise<PageOf<ApiKey>> {
    return this.keys.page(tenant, request);
  }

  /** A key of this organization and environment. Who is no operator reads the key here before changing it. */
  get(tenant: Tenant, id: string): Promise<ApiKey> {
    return existing(KEY, id, () => this.keys.get(tenant, id));
  }

  hasUsed(tenant: Tenant): Promise<boolean> {
    return this.keys.hasUsed(tenant);
  }

  async create(actor: Actor, wanted: NewApiKey): Promise<IssuedKey> {
    const { id } = await this.organizations.byId(wanted.organizationId);
    return this.unitOfWork.runAs(actor, { organizationId: id, environment: wanted.environment }, (ctx) => this.createIn(ctx, wanted));
  }

  async createIn(ctx: WriteContext, wanted: Omit<NewApiKey, keyof Tenant>): Promise<IssuedKey> {
    const scopes = this.rules.scopesOf(wanted.scopes);
    const ipAllowlist = [...(wanted.ipAllowlist ?? [])];
    const projectIds = await this.rules.existingProjects(ctx, wanted.projectIds ?? null);
    const fields = { name: wanted.name, scopes, ipAllowlist, ...limitsWanted(wanted), projectIds };
    this.rules.requireValid(fields);
    const expiresAt = wanted.expiresInMs === undefined ? null : later(this.clock, wanted.expiresInMs);
    return this.issue(ctx, { ...fields, expiresAt });
  }

  /** Takes effect on every replica within a second. */
  async change(actor: Actor, id: string, { scopes, ipAllowlist, projectIds, ...change }: ApiKeyChange): Promise<ApiKey> {
    return this.unitOfWork.runAs(actor, await this.byId(id), async (ctx) => {
      const before = await this.lock(ctx, id);
      const after: ApiKey = {
        ...before,
        ...given({ ...change, scopes: scopes && this.rules.scopesOf(scopes), ipAllowlist: ipAllowlist && [...ipAllowlist] }),
        ...(projectIds !== undefined && { projectIds: await this.rules.existingProjects(ctx, projectIds) }),
      };
      this.rules.requireValid(after);
      const changed = changedProperties(before, after);
      if (changed.length === 0) return before;
      after.updatedAt = this.clock.timestamp();
      await this.keys.update(ctx, after, [...changed, 'updatedAt']);
      this.audit.record(ctx, { action: 'api_key.updated', resourceId: id, changes: changesBetween(before, after) });
      return after;
    });
  }

  async revoke(actor: Actor, id: string): Promise<ApiKey> {
    return this.unitOfWork.runAs(actor, await this.byId(id), async (ctx) => {
      const row = await this.lock(ctx, id);
      if (row.revokedAt) return row;
      const now = this.clock.timestamp();
      const revoked = { ...row, revokedAt: now, updatedAt: now };
      await this.keys.update(ctx, revoked, ['revokedAt', 'updatedAt']);
      this.audit.record(ctx, { action: 'api_key.revoked', resourceId: id, changes: { revokedAt: { from: null, to: now } } });
      return revoked;
    });
  }

  async rotate(actor: Actor, id: string, overlapMs: number): Promise<IssuedKey> {
    return this.unitOfWork.runAs(actor, await this.byId(id), (ctx) => this.rotateIn(ctx, id, overlapMs));
  }

  async rotateIn(ctx: WriteContext, id: string, overlapMs: number): Promise<IssuedKey> {
    if (overlapMs > MAX_OVERLAP_MS) throw Problem.invalidField('overlap', 'out_of_range', 'must be at most 7d');
    const old = await this.lock(ctx, id);
    const end = later(this.clock, overlapMs);
    const now = this.clock.timestamp();
    const ended = old.revokedAt ?? old.expiresAt;
    if (old.revokedAt || (ended && ended <= now)) notFound(`The key ${id} is revoked or expired, so it cannot be rotated.`);
    const expiresAt = old.expiresAt && old.expiresAt < end ? old.expiresAt : end;
    // The caller who rotates a key knows when the old one expires.
    const rotated = { ...old, expiresAt, expiryNoticedAt: now, updatedAt: now };
    await this.keys.update(ctx, rotated, ['expiresAt', 'expiryNoticedAt', 'updatedAt']);
    this.audit.record(ctx, { action: 'api_key.rotated', resourceId: id, changes: { expiresAt: { from: old.expiresAt, to: expiresAt } } });
    return this.issue(ctx, old);
  }

  private async issue(ctx: WriteContext, like: KeyFields & Pick<ApiKey, 'expiresAt'>): Promise<IssuedKey> {
    const now = this.clock.timestamp();
    const key = makeKey(ctx.environment);
    const shown = pick(like, ['name', 'scopes', 'ipAllowlist', ...OWN_LIMIT_NAMES, 'projectIds', 'expiresAt']);
    const row: ApiKey = {
      ...aNewRow(ctx, now),
      ...shown,
      keyHash: hashKey(key),
      last4: key.slice(-4),
      revokedAt: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      createdBy: ctx.actor.type === 'user' ? ctx.actor.id : null,
      expiryNoticedAt: null,
    };
    await this.keys.insert(ctx, row);
    this.audit.record(ctx, { action: 'api_key.created', resourceId: row.id, changes: changesBetween(null, shown) });
    return { row, key };
  }

  private byId(id: string): Promise<ApiKey> {
    return existing(KEY, id, () => this.keys.byId(id));
  }

  private lock(ctx: WriteContext, id: string): Promise<ApiKey> {
    return existing(KEY, id, () => this.keys.lock(ctx, id));
  }
}

@Implements(OrganizationLimit)
export class KeyLimit implements OrganizationLimit {
  readonly name = 'apiKeys';

  constructor(private readonly settings: Settings) {}

  of(): number {
    return this.settings.recordLimits.apiKeys;
  }
}

const CHECK_INTERVAL_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How long before a key expires its owners are told. The last time comes first: who is told then needs no earlier notice any more. */
const TOLD_BEFORE_MS = [DAY_MS, 7 * DAY_MS];
const AT_ONCE = 100;
const NOTICE: Actor = { type: 'system', id: null, name: 'key notice' };

type Expiring = Pick<ApiKey, 'id' | 'organizationId' | 'environment'>;
type Times = Readonly<Record<'now' | 'until' | 'length', string>>;
type Told = Pick<ApiKey, 'name'> & { readonly expiresAt: string };

/** `until` is the end of the time before which is told, and `length` its length. For a key that lives shorter there is no notice. */
const IS_UNTOLD = `revoked_at IS NULL AND expires_at > :now AND expires_at <= :until
    AND greatest(created_at, expiry_noticed_at) < expires_at - :length::interval`;
const EXPIRING = acrossTenants(
  'api_keys.expiring',
  'A worker finds the keys of all tenants that expire soon.',
  `SELECT id, organization_id AS "organizationId", environment FROM api_keys
    WHERE ${IS_UNTOLD} AND ${isStayingSql('api_keys')} ORDER BY expires_at LIMIT ${AT_ONCE}`,
);
/** Another worker may have come first, or the key was revoked or rotated. */
const NOTE = tenantSql(
  'api_keys.note_expiry',
  `UPDATE api_keys SET expiry_noticed_at = :now WHERE id = :id AND ${TENANT} AND ${IS_UNTOLD}
    RETURNING name, expires_at AS "expiresAt"`,
);

@Implements(Notice)
export class ExpiryNotice implements Notice {
  readonly kind = 'api_key_expiring';
  readonly when = `An API key expires: ${TOLD_BEFORE_MS.map(inWords).reverse().join(' and ')} before.`;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  @Job({
    id: 'api_keys.notify_owners',
    summary: `Tells the owners of an organization ${TOLD_BEFORE_MS.map(inWords).reverse().join(' and ')} before an API key expires.`,
    everyMs: CHECK_INTERVAL_MS,
  })
  async notify(): Promise<void> {
    for (const beforeMs of TOLD_BEFORE_MS) await this.notifyWithin(beforeMs);
  }

  private async notifyWithin(beforeMs: number): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + beforeMs).toISOString();
    const times = { now: now.toISOString(), until, length: `${beforeMs} milliseconds` };
    for (;;) {
      const keys = await this.database.rows<Expiring>(...EXPIRING.bind(times));
      for (const key of keys) await this.tellOwners(key, times);
      if (keys.length < AT_ONCE) return;
    }
  }

  private async tellOwners({ id, organizationId, environment }: Expiring, times: Times): Promise<void> {
    await this.unitOfWork.runAs(NOTICE, { organizationId, environment }, async (ctx) => {
      const [key] = await this.database.rows<Told>(...NOTE.bind(ctx, { ...times, id }), ctx.unit);
      if (key) await this.notices.send(ctx, this, textOf({ ...key, id, environment }));
    });
  }
}

const textOf = ({ id, name, environment, expiresAt }: Told & Pick<ApiKey, 'id' | 'environment'>): NoticeText => ({
  subject: `API key expires soon: ${name}`,
  parts: [
    `The API key "${name}" of your organization in ${API_NAME} expires at ${expiresAt}. From then on every call with it is refused.`,
    {
      facts: [
        ['Key', id],
        ['Environment', environment],
      ],
    },
    'If a program still needs it, make a new key, give that to the program, and revoke this one.',
  ],
  page: { label: 'Open the key', path: ['keys', id] },
});
