import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { TenantRepository } from '../../platform/database/tenant-repository.js';
import { Configuration } from './configuration.entity.js';

@Injectable()
export class ConfigurationsRepository extends TenantRepository<Configuration> {
  constructor(database: Database) {
    super(database, Configuration);
  }
}
