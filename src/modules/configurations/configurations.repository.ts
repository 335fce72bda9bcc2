import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { BoundedRepository, RecordBounds } from '../../store/tenant/record-bounds.js';
import { TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { Configuration, type TestOutcome } from './configuration.entity.js';

const RECORDS = { name: 'reportConfigurations', noun: 'report configurations', table: 'report_configurations' } as const;

const TAKE = tenantSql(
  'report_configurations.take_test_outcome',
  `UPDATE report_configurations SET test_outcome = NULL
    FROM (SELECT id AS taken, test_outcome AS outcome FROM report_configurations
      WHERE ${TENANT} AND id = :id AND test_outcome IS NOT NULL FOR UPDATE) asked
    WHERE ${TENANT} AND id = taken RETURNING outcome`,
  'Of the configuration of a run, which is read with it.',
);

@Injectable()
export class ConfigurationsRepository extends BoundedRepository<Configuration> {
  constructor(database: Database, bounds: RecordBounds) {
    super(database, bounds, Configuration, RECORDS, { keepsAll: true, isForAll: true });
  }

  /** Of two runs that are queued at once, one takes it. */
  async takeTestOutcome(ctx: WriteContext, id: string): Promise<TestOutcome | null> {
    return (await this.database.rows<{ outcome: TestOutcome }>(...TAKE.bind(ctx, { id }), ctx.unit))[0]?.outcome ?? null;
  }
}
