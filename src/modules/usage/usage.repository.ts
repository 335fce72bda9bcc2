import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../platform/context/request-context.js';
import { Database, type Statement } from '../../platform/database/database.js';
import type { BillingPeriod } from './billing-period.js';
import type { UsageDay } from './usage-day.entity.js';

const ADD: Statement = {
  name: 'usage_days.add',
  // In one order for all: replicas that add to the same rows at the same time would else lock each other out.
  text: `INSERT INTO usage_days AS known (organization_id, environment, day, capability, reads, writes, failed)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::date[], $4::text[], $5::int[], $6::int[], $7::int[]) ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, environment, day, capability)
    DO UPDATE SET reads = known.reads + excluded.reads, writes = known.writes + excluded.writes, failed = known.failed + excluded.failed`,
};
const TOTALS: Statement = {
  name: 'usage_days.totals',
  text: `SELECT capability, sum(reads)::bigint AS reads, sum(writes)::bigint AS writes, sum(failed)::bigint AS failed
    FROM usage_days WHERE organization_id = $1 AND environment = $2 AND day >= $3 AND day < $4 GROUP BY capability`,
};

export type CapabilityTotals = Pick<UsageDay, 'capability' | 'reads' | 'writes' | 'failed'>;

@Injectable()
export class UsageRepository {
  constructor(private readonly database: Database) {}

  async add(counts: readonly UsageDay[]): Promise<void> {
    const column = <K extends keyof UsageDay>(name: K): UsageDay[K][] => counts.map((count) => count[name]);
    await this.database.rows(ADD, [column('organizationId'), column('environment'), column('day'), column('capability'), column('reads'), column('writes'), column('failed')]);
  }

  totals(tenant: Tenant, { start, end }: BillingPeriod): Promise<CapabilityTotals[]> {
    return this.database.rows<CapabilityTotals>(TOTALS, [tenant.organizationId, tenant.environment, start, end]);
  }
}
