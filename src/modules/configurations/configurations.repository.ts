import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { RecordBounds } from '../../store/tenant/record-bounds.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { Configuration } from './configuration.entity.js';

const RECORDS = { name: 'reportConfigurations', noun: 'report configurations', table: 'report_configurations' } as const;

@Injectable()
export class ConfigurationsRepository extends TenantRepository<Configuration> {
  constructor(
    database: Database,
    private readonly bounds: RecordBounds,
  ) {
    super(database, Configuration, { keepsAll: true });
  }

  override insert(ctx: WriteContext, row: Configuration): Promise<void> {
    return this.bounds.create(ctx, RECORDS, () => super.insert(ctx, row));
  }
}
