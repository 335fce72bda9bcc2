import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared } from '../../../store/database/database.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';

const KEY_BYTES = 32;

const GET = prepared({
  name: 'redaction_keys.get',
  text: 'SELECT secret FROM redaction_keys WHERE organization_id = $1 AND environment = $2',
});
const MAKE = prepared({
  name: 'redaction_keys.make',
  text: 'INSERT INTO redaction_keys (organization_id, environment, secret, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
});

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

  /** The key of a tenant; created on first use. */
  async of({ organizationId, environment }: Tenant): Promise<Buffer> {
    const owner = boundTo(organizationId, environment);
    const find = () => this.database.rows<{ secret: Buffer }>(GET, [organizationId, environment]);
    let [found] = await find();
    if (!found) {
      // If two callers create it at the same time, both use the first one.
      await this.database.rows(MAKE, [
        organizationId,
        environment,
        this.secrets.encryptBytes(randomBytes(KEY_BYTES), owner),
        this.clock.timestamp(),
      ]);
      [found] = await find();
    }
    return this.secrets.decryptBytes(found!.secret, owner);
  }
}
