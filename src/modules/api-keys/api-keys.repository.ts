import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database, prepared } from '../../store/database/database.js';
import { oneAtATime } from '../../store/database/housekeeping.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { RecordBounds } from '../../store/tenant/record-bounds.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { UnitOfWork, type WriteContext } from '../../store/database/unit-of-work.js';
import { ApiKey } from './api-key.entity.js';

const SELECT = `SELECT ${selectList(entityColumns(ApiKey))} FROM api_keys`;
// These two come before the tenant is known: the key tells it.
const BY_HASH = prepared({ name: 'api_keys.by_hash', text: `${SELECT} WHERE key_hash = $1` });
const BY_ID = prepared({ name: 'api_keys.by_id', text: `${SELECT} WHERE id = $1` });
const OF_ORGANIZATION = prepared({ name: 'api_keys.of_organization', text: `${SELECT} WHERE organization_id = $1 ORDER BY id` });
const USED = prepared({
  name: 'api_keys.used',
  text: 'SELECT true AS used FROM api_keys WHERE organization_id = $1 AND environment = $2 AND last_used_at IS NOT NULL LIMIT 1',
});
const TOUCH = prepared({
  name: 'api_keys.touch',
  text: `UPDATE api_keys SET last_used_at = used.at, last_used_from = used.address
    FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS used (id, at, address)
    WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
});

/** When a key was used, and from where. */
export interface Use {
  readonly at: string;
  readonly address: string;
}

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
    return this.bounds.create(ctx, 'apiKeys', () => super.insert(ctx, row));
  }

  async byHash(hash: Buffer): Promise<ApiKey | undefined> {
    return (await this.database.rows<ApiKey>(BY_HASH, [hash]))[0];
  }

  async byId(id: string): Promise<ApiKey | undefined> {
    return (await this.database.rows<ApiKey>(BY_ID, [id]))[0];
  }

  ofOrganization(organizationId: string): Promise<ApiKey[]> {
    return this.database.rows<ApiKey>(OF_ORGANIZATION, [organizationId]);
  }

  /** Whether any key of the tenant was ever used. */
  async hasUsed({ organizationId, environment }: Tenant): Promise<boolean> {
    return (await this.database.rows(USED, [organizationId, environment])).length > 0;
  }

  async touch(used: ReadonlyMap<string, Use>): Promise<void> {
    const { database, unitOfWork } = this;
    const uses = [...used.values()];
    await oneAtATime({ database, unitOfWork }, TOUCH, [[...used.keys()], uses.map(({ at }) => at), uses.map(({ address }) => address)]);
  }
}
