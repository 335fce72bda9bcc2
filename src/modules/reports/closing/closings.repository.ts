import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { ReadContext, Unit, WriteContext } from '../../../store/database/unit-of-work.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { TENANT, tenantOf, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { Tenant } from '../../../kernel/context.js';
import { Clock } from '../../../kernel/time.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import type { DateRange } from '../engine/inputs.js';
import { ClaimClosing, type SigningKey } from './closing.entity.js';

const COLUMNS = selectList(entityColumns(ClaimClosing));
const OF_RUN = tenantSql(
  'claim_closings.of_run',
  `SELECT ${COLUMNS} FROM claim_closings WHERE ${TENANT} AND report_id = :reportId ORDER BY id`,
  'Of a run that was read before.',
);
/** Final claims of a project over days of the period, but those that were corrected: a correction stands in for them. */
const FINALS = tenantSql(
  'claim_closings.finals',
  `SELECT ${COLUMNS}, EXISTS (SELECT FROM claim_closings reopened WHERE ${tenantOf('reopened')}
      AND reopened.report_id = claim_closings.report_id AND reopened.state = 'reopened') AS "isReopened"
    FROM claim_closings
    WHERE ${tenantOf('claim_closings')} AND claim_closings.project_id = :projectId AND claim_closings.state = 'final'
      AND period_start <= :end AND period_end >= :start
      AND NOT EXISTS (SELECT FROM claim_closings later WHERE ${tenantOf('later')} AND later.corrects = claim_closings.id)
    ORDER BY id DESC`,
  'Of a run that was read before.',
);
/** Steps of a project follow each other. What a final claim would refuse may happen at once, but not beside a step. */
const LOCK = prepared({
  name: 'claim_closings.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('claim closings ' || $1, 0))",
});
const SHARE = prepared({
  name: 'claim_closings.queue_up_shared',
  text: "SELECT pg_advisory_xact_lock_shared(hashtextextended('claim closings ' || $1, 0))",
});

export type FinalClaim = ClaimClosing & { readonly isReopened: boolean };

@Injectable()
export class ClosingsRepository extends TenantRepository<ClaimClosing> {
  constructor(database: Database) {
    super(database, ClaimClosing, { keepsAll: true });
  }

  async lockProject({ unit }: WriteContext, projectId: string): Promise<void> {
    await this.database.rows(LOCK, [projectId], unit);
  }

  async shareProject({ unit }: WriteContext, projectId: string): Promise<void> {
    await this.database.rows(SHARE, [projectId], unit);
  }

  findSteps(ctx: ReadContext, reportId: string): Promise<ClaimClosing[]> {
    return this.database.rows<ClaimClosing>(...OF_RUN.bind(ctx, { reportId }), ctx.unit);
  }

  /** The newest first. */
  findFinals(ctx: ReadContext, projectId: string, { start, end }: DateRange): Promise<FinalClaim[]> {
    return this.database.rows<FinalClaim>(...FINALS.bind(ctx, { projectId, start, end }), ctx.unit);
  }
}

const SELECT = `SELECT secret, certificate_key AS "certificateKey", certificates FROM signing_keys WHERE ${TENANT}`;
const OWN_KEY = 'The key that signs for the organization.';
const GET = tenantSql('signing_keys.get', SELECT, OWN_KEY);
const LOCK_KEY = tenantSql('signing_keys.lock', `${SELECT} FOR UPDATE`, OWN_KEY);
const SET = tenantSql(
  'signing_keys.set_certificates',
  `UPDATE signing_keys SET certificate_key = :certificateKey, certificates = :certificates WHERE ${TENANT}`,
);
const MAKE = tenantSql(
  'signing_keys.make',
  `INSERT INTO signing_keys (organization_id, environment, secret, created_at)
    VALUES (:organizationId, :environment, :secret, :createdAt) ON CONFLICT DO NOTHING`,
  OWN_KEY,
);

const boundTo = (organizationId: string, environment: string): string => `signing key ${organizationId} ${environment}`;
const certificateBoundTo = (organizationId: string, environment: string): string => `certificate key ${organizationId} ${environment}`;

/** What the PDF of a final claim is signed with. Without certificates, an authority has not certified the key yet. */
export interface CertifiedKey {
  readonly privateKey: KeyObject;
  readonly certificates: string | null;
}

const asDer = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'pkcs8' });
const fromDer = (key: Buffer): KeyObject => createPrivateKey({ key, format: 'der', type: 'pkcs8' });

/** The key by which an organization signs. Test and live have one each: a pack of a test is not taken for a real one. */
@Implements(EncryptedColumns)
export class SigningKeysRepository implements EncryptedColumns {
  readonly encrypted = [
    { table: 'signing_keys', column: 'secret', key: ['organization_id', 'environment'], owner: boundTo },
    { table: 'signing_keys', column: 'certificate_key', key: ['organization_id', 'environment'], owner: certificateBoundTo },
  ];

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  async findOrMake(tenant: Tenant): Promise<KeyObject> {
    const owner = boundTo(tenant.organizationId, tenant.environment);
    let found = await this.find(tenant);
    if (!found) {
      // If two callers create it at the same time, both use the first one.
      const secret = this.secrets.encryptBytes(asDer(generateKeyPairSync('ed25519').privateKey), owner);
      await this.database.rows(...MAKE.bind(tenant, { secret, createdAt: this.clock.timestamp() }));
      found = await this.find(tenant);
    }
    return fromDer(this.secrets.decryptBytes(found!.secret, owner));
  }

  /** For a change, it is locked: two of them wait for each other. */
  async findCertified(tenant: Tenant, unit?: Unit, toChange = false): Promise<CertifiedKey | undefined> {
    const { certificateKey = null, certificates = null } = (await this.find(tenant, toChange ? LOCK_KEY : GET, unit)) ?? {};
    if (certificateKey === null) return undefined;
    const owner = certificateBoundTo(tenant.organizationId, tenant.environment);
    return { privateKey: fromDer(this.secrets.decryptBytes(certificateKey, owner)), certificates };
  }

  /** null: it has none any more. */
  async setCertified(tenant: Tenant, key: CertifiedKey | null, unit: Unit): Promise<void> {
    const owner = certificateBoundTo(tenant.organizationId, tenant.environment);
    const certificateKey = key && this.secrets.encryptBytes(asDer(key.privateKey), owner);
    await this.database.rows(...SET.bind(tenant, { certificateKey, certificates: key?.certificates ?? null }), unit);
  }

  private async find(tenant: Tenant, statement = GET, unit?: Unit): Promise<Omit<SigningKey, 'createdAt'> | undefined> {
    return (await this.database.rows<SigningKey>(...statement.bind(tenant), unit))[0];
  }
}
