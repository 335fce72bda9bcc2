import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { BoundedRepository, RecordBounds } from '../../store/tenant/record-bounds.js';
import { Configuration } from './configuration.entity.js';

const RECORDS = { name: 'reportConfigurations', noun: 'report configurations', table: 'report_configurations' } as const;

@Injectable()
export class ConfigurationsRepository extends BoundedRepository<Configuration> {
  constructor(database: Database, bounds: RecordBounds) {
    super(database, bounds, Configuration, RECORDS, { keepsAll: true });
  }
}
