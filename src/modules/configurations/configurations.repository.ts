import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { Configuration } from './configuration.entity.js';

@Injectable()
export class ConfigurationsRepository extends TenantRepository<Configuration> {
  constructor(database: Database) {
    super(database, Configuration);
  }
}
