import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../kernel/context.js';
import { inWords } from '../../kernel/durations.js';
import { API_NAME } from '../../kernel/product.js';
import { Clock } from '../../kernel/time.js';
import { Database } from '../../store/database/database.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Implements } from '../../store/discovery/ports.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { acrossTenants, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import { Notice, Notices, type NoticeText } from '../organization/index.js';
import type { ApiKey } from './api-key.entity.js';

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
  `SELECT id, organization_id AS "organizationId", environment FROM api_keys WHERE ${IS_UNTOLD} ORDER BY expires_at LIMIT ${AT_ONCE}`,
);
/** Another worker may have come first, or the key was revoked or rotated. */
const NOTE = tenantSql(
  'api_keys.note_expiry',
  `UPDATE api_keys SET expiry_noticed_at = :now WHERE id = :id AND ${TENANT} AND ${IS_UNTOLD}
    RETURNING name, expires_at AS "expiresAt"`,
);

@Implements(Notice)
@Injectable()
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
    await this.unitOfWork.run({ ...changeContext(organizationId, NOTICE, environment), environment }, async (ctx) => {
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
