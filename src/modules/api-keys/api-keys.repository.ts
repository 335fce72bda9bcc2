import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database } from '../../store/database/database.js';
import { oneAtATime } from '../../store/database/housekeeping.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { RecordBounds } from '../../store/tenant/record-bounds.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { UnitOfWork, type WriteContext } from '../../store/database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, organizationSql, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import { ApiKey } from './api-key.entity.js';

const SELECT = `SELECT ${selectList(entityColumns(ApiKey))} FROM api_keys`;
const BY_HASH = acrossTenants('api_keys.by_hash', 'Finds out which tenant a key belongs to.', `${SELECT} WHERE key_hash = :hash`);
const BY_ID = acrossTenants('api_keys.by_id', 'Operators name a key by its id only.', `${SELECT} WHERE id = :id`);
const OF_ORGANIZATION = organizationSql('api_keys.of_organization', `${SELECT} WHERE ${ORGANIZATION} ORDER BY id`);
const USED = tenantSql('api_keys.used', `SELECT true AS used FROM api_keys WHERE ${TENANT} AND last_used_at IS NOT NULL LIMIT 1`);
const TOUCH = acrossTenants(
  'api_keys.touch',
  'Stores when keys were last used, for many organizations at once. Each key was found by its hash.',
  `UPDATE api_keys SET last_used_at = used.at, last_used_from = used.address
    FROM unnest(:ids::uuid[], :times::timestamptz[], :addresses::text[]) AS used (id, at, address)
    WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
);

const VALID_KEYS = {
  name: 'apiKeys',
  noun: 'valid API keys',
  table: 'api_keys',
  only: 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)',
} as const;

@Injectable()
export class ApiKeysRepository extends TenantRepository<ApiKey> {
  constructor(
    database: Database,
    private readonly bounds: RecordBounds,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super(database, ApiKey);
  }

  override insert(ctx: WriteContext, row: ApiKey): Promise<void> {
    return this.bounds.create(ctx, VALID_KEYS, () => super.insert(ctx, row));
  }

  async byHash(hash: Buffer): Promise<ApiKey | undefined> {
    return (await this.database.rows<ApiKey>(...BY_HASH.bind({ hash })))[0];
  }

  async byId(id: string): Promise<ApiKey | undefined> {
    return (await this.database.rows<ApiKey>(...BY_ID.bind({ id })))[0];
  }

  ofOrganization(organizationId: string): Promise<ApiKey[]> {
    return this.database.rows<ApiKey>(...OF_ORGANIZATION.bind({ organizationId }));
  }

  async hasUsed(tenant: Tenant): Promise<boolean> {
    return (await this.database.rows(...USED.bind(tenant))).length > 0;
  }

  async touch(used: ReadonlyMap<string, Readonly<Record<'at' | 'address', string>>>): Promise<void> {
    const { database, unitOfWork } = this;
    const uses = [...used.values()];
    const columns = { ids: [...used.keys()], times: uses.map(({ at }) => at), addresses: uses.map(({ address }) => address) };
    await oneAtATime({ database, unitOfWork }, ...TOUCH.bind(columns));
  }
}
