import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database, prepared } from '../../store/database/database.js';
import { columnsOf, entityColumns, unnestSql } from '../../store/database/sql.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { acrossTenants, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import type { BillingPeriod } from './billing-period.js';
import { type CountedCredential, type CredentialTotal, CLIENTS_MAX, UsageCredential } from './usage-credential.entity.js';
import { type DayOfUsage, UsageDay } from './usage-day.entity.js';

// A batch is added once, even if its writer sends it again because the answer was lost.
const BEGIN_BATCH = prepared({
  name: 'usage_writers.begin_batch',
  text: `WITH forgotten AS (DELETE FROM usage_writers WHERE id <> $1 AND written_at < now() - interval '7 days')
    INSERT INTO usage_writers AS known (id, last_batch, written_at) VALUES ($1, $2, now())
    ON CONFLICT (id) DO UPDATE SET last_batch = excluded.last_batch, written_at = excluded.written_at
      WHERE known.last_batch < excluded.last_batch
    RETURNING true AS begun`,
});
const COUNTED = Object.fromEntries(entityColumns(UsageDay).columns.map(({ property, type }) => [property, type]));
const ADD = acrossTenants(
  'usage_days.add',
  'Adds what was counted for many organizations at once.',
  // All replicas write the rows in the same order: otherwise two that add to the same rows could deadlock.
  `INSERT INTO usage_days AS known (organization_id, environment, day, capability, reads, writes, failed)
    SELECT counted.* FROM ${unnestSql(COUNTED)} AS counted
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, environment, day, capability)
    DO UPDATE SET reads = known.reads + excluded.reads, writes = known.writes + excluded.writes, failed = known.failed + excluded.failed`,
);
const { noticedAt: _later, ...COUNTED_CREDENTIAL } = Object.fromEntries(
  entityColumns(UsageCredential).columns.map(({ property, type }) => [property, type]),
);
const ADD_CREDENTIALS = acrossTenants(
  'usage_credentials.add',
  'Adds what the keys and applications of many organizations have called.',
  `INSERT INTO usage_credentials AS known
      (organization_id, environment, day, credential_id, type, name, calls, refused, clients, daily_calls)
    SELECT counted.* FROM ${unnestSql(COUNTED_CREDENTIAL)} AS counted
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, environment, day, credential_id)
    DO UPDATE SET name = excluded.name, calls = known.calls + excluded.calls, refused = known.refused + excluded.refused,
      daily_calls = excluded.daily_calls,
      clients = (SELECT coalesce(jsonb_object_agg(client, calls), '{}') FROM (
        SELECT client, sum(calls::bigint) AS calls
          FROM (SELECT * FROM jsonb_each_text(known.clients) UNION ALL SELECT * FROM jsonb_each_text(excluded.clients))
            AS counted (client, calls)
          GROUP BY client ORDER BY sum(calls::bigint) DESC, client LIMIT ${CLIENTS_MAX}) AS most)`,
);
const TOTALS = tenantSql(
  'usage_days.totals',
  `SELECT capability, sum(reads)::bigint AS reads, sum(writes)::bigint AS writes, sum(failed)::bigint AS failed
    FROM usage_days WHERE ${TENANT} AND day >= :start AND day < :end GROUP BY capability`,
);
const CREDENTIALS = tenantSql(
  'usage_credentials.totals',
  `SELECT credential_id AS id, (array_agg(name ORDER BY day DESC))[1] AS name, min(type) AS type, sum(calls)::bigint AS calls,
      array_agg(clients) AS clients,
      count(*) OVER ()::integer AS "inAll"
    FROM usage_credentials WHERE ${TENANT} AND day >= :start AND day < :end
    GROUP BY credential_id ORDER BY sum(calls) DESC, credential_id LIMIT :most`,
);
const DAYS = tenantSql(
  'usage_days.by_day',
  `SELECT day, sum(reads + writes - failed)::bigint AS succeeded, sum(failed)::bigint AS failed
    FROM usage_days WHERE ${TENANT} AND day >= :start AND day < :end GROUP BY day`,
);

export type CapabilityTotals = Pick<UsageDay, 'capability' | 'reads' | 'writes' | 'failed'>;

/** The counts of one process for a short time. A process writes its batches in order, and repeats one until it has succeeded. */
export interface UsageBatch {
  readonly writerId: string;
  readonly number: number;
  readonly counts: readonly UsageDay[];
  readonly credentials: readonly CountedCredential[];
}

type Clients = UsageCredential['clients'];
type Found = Omit<CredentialTotal, 'clients'> & { readonly inAll: number; readonly clients: readonly Clients[] };

function mostOf(days: readonly Clients[]): CredentialTotal['clients'] {
  const sums = new Map<string, number>();
  for (const [name, calls] of days.flatMap((day) => Object.entries(day))) sums.set(name, (sums.get(name) ?? 0) + calls);
  const all = [...sums].map(([name, calls]) => ({ name, calls }));
  return all.sort((one, other) => other.calls - one.calls || (one.name < other.name ? -1 : 1)).slice(0, CLIENTS_MAX);
}

@Injectable()
export class UsageRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async add({ writerId, number, counts, credentials }: UsageBatch): Promise<void> {
    await this.unitOfWork.transact(async (unit) => {
      const begun = await this.database.rows(BEGIN_BATCH, [writerId, number], unit);
      if (begun.length === 0) return;
      await this.database.rows(...ADD.bind(columnsOf(COUNTED, counts)), unit);
      if (credentials.length > 0) await this.database.rows(...ADD_CREDENTIALS.bind(columnsOf(COUNTED_CREDENTIAL, credentials)), unit);
    });
  }

  /** Days without requests are left out. */
  days(tenant: Tenant, { start, end }: BillingPeriod): Promise<DayOfUsage[]> {
    return this.database.rows<DayOfUsage>(...DAYS.bind(tenant, { start, end }));
  }

  /** Those with most calls, and how many there are in all. */
  async credentials(tenant: Tenant, { start, end }: BillingPeriod, most: number) {
    const rows = await this.database.rows<Found>(...CREDENTIALS.bind(tenant, { start, end, most }));
    return { rows: rows.map(({ inAll: _all, clients, ...row }) => ({ ...row, clients: mostOf(clients) })), inAll: rows[0]?.inAll ?? 0 };
  }

  totals(tenant: Tenant, { start, end }: BillingPeriod): Promise<CapabilityTotals[]> {
    return this.database.rows<CapabilityTotals>(...TOTALS.bind(tenant, { start, end }));
  }
}
