import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';

const KEY_BYTES = 32;
const GET = tenantSql('redaction_keys.get', `SELECT secret FROM redaction_keys WHERE ${TENANT}`);
const MAKE = tenantSql(
  'redaction_keys.make',
  `INSERT INTO redaction_keys (organization_id, environment, secret, created_at)
    VALUES (:organizationId, :environment, :secret, :createdAt) ON CONFLICT DO NOTHING`,
);

const boundTo = (organizationId: string, environment: string): string => `redaction key ${organizationId} ${environment}`;

/** The secret for an organization's tokens: equal names get equal tokens in all its statements, but not in those of others. */
@Injectable()
@Implements(EncryptedColumns)
export class RedactionKeysRepository implements EncryptedColumns {
  readonly encrypted = [{ table: 'redaction_keys', column: 'secret', key: ['organization_id', 'environment'], owner: boundTo }];

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  async findOrMake(tenant: Tenant): Promise<Buffer> {
    const owner = boundTo(tenant.organizationId, tenant.environment);
    const find = () => this.database.rows<{ secret: Buffer }>(...GET.bind(tenant));
    let [found] = await find();
    if (!found) {
      // If two callers create it at the same time, both use the first one.
      const secret = this.secrets.encryptBytes(randomBytes(KEY_BYTES), owner);
      await this.database.rows(...MAKE.bind(tenant, { secret, createdAt: this.clock.timestamp() }));
      [found] = await find();
    }
    return this.secrets.decryptBytes(found!.secret, owner);
  }
}
