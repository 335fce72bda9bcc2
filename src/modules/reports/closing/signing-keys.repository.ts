import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Clock } from '../../../kernel/time.js';
import { Database } from '../../../store/database/database.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';

const GET = tenantSql('signing_keys.get', `SELECT secret FROM signing_keys WHERE ${TENANT}`);
const MAKE = tenantSql(
  'signing_keys.make',
  `INSERT INTO signing_keys (organization_id, environment, secret, created_at)
    VALUES (:organizationId, :environment, :secret, :createdAt) ON CONFLICT DO NOTHING`,
);

const boundTo = (organizationId: string, environment: string): string => `signing key ${organizationId} ${environment}`;

/** The key by which an organization signs. Test and live have one each: a pack of a test is not taken for a real one. */
@Injectable()
@Implements(EncryptedColumns)
export class SigningKeysRepository implements EncryptedColumns {
  readonly encrypted = [{ table: 'signing_keys', column: 'secret', key: ['organization_id', 'environment'], owner: boundTo }];

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  async findOrMake(tenant: Tenant): Promise<KeyObject> {
    const owner = boundTo(tenant.organizationId, tenant.environment);
    const find = () => this.database.rows<{ secret: Buffer }>(...GET.bind(tenant));
    let [found] = await find();
    if (!found) {
      // If two callers create it at the same time, both use the first one.
      const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
      const secret = this.secrets.encryptBytes(key, owner);
      await this.database.rows(...MAKE.bind(tenant, { secret, createdAt: this.clock.timestamp() }));
      [found] = await find();
    }
    return createPrivateKey({ key: this.secrets.decryptBytes(found!.secret, owner), format: 'der', type: 'pkcs8' });
  }
}
