import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { Widget } from './widget.entity.js';

@Injectable()
export class WidgetsRepository extends TenantRepository<Widget> {
  constructor(database: Database) {
    super(database, Widget);
  }
}
