import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import type { Unit } from '../../store/database/transaction.js';
import { ApiKey } from './api-key.entity.js';

const SELECT = `SELECT ${selectList(entityColumns(ApiKey))} FROM api_keys`;
// These two come before the tenant is known: the key tells it.
const BY_HASH: Statement = { name: 'api_keys.by_hash', text: `${SELECT} WHERE key_hash = $1` };
const BY_ID: Statement = { name: 'api_keys.by_id', text: `${SELECT} WHERE id = $1` };
const OF_ORGANIZATION: Statement = { name: 'api_keys.of_organization', text: `${SELECT} WHERE organization_id = $1 ORDER BY id` };
const IN_FORCE: Statement = {
  name: 'api_keys.in_force',
  text: `SELECT count(*)::int AS count FROM api_keys
    WHERE organization_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
};
// Keys of one organization are created one after another, so that concurrent calls cannot exceed the limit.
const LOCK_ORGANIZATION: Statement = {
  name: 'api_keys.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('api_keys ' || $1, 0))",
};
const TOUCH: Statement = {
  name: 'api_keys.touch',
  // All replicas lock in the same order. Otherwise those that touch the same keys at once could deadlock.
  text: `WITH used AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)),
      locked AS (SELECT api_keys.id FROM api_keys JOIN used USING (id) ORDER BY id FOR NO KEY UPDATE OF api_keys)
    UPDATE api_keys SET last_used_at = used.at FROM used JOIN locked USING (id)
    WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
};

@Injectable()
export class ApiKeysRepository extends TenantRepository<ApiKey> {
  constructor(database: Database) {
    super(database, ApiKey);
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

  /** The number of valid keys. It cannot grow before the transaction ends. */
  async countInForce(organizationId: string, now: string, unit: Unit): Promise<number> {
    await this.database.rows(LOCK_ORGANIZATION, [organizationId], unit);
    return (await this.database.rows<{ count: number }>(IN_FORCE, [organizationId, now], unit))[0]!.count;
  }

  async touch(used: ReadonlyMap<string, string>): Promise<void> {
    await this.database.rows(TOUCH, [[...used.keys()], [...used.values()]]);
  }
}
