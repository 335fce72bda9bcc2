import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { TenantRepository } from '../../platform/database/tenant-repository.js';
import { Category } from './category.entity.js';

@Injectable()
export class CategoriesRepository extends TenantRepository<Category> {
  constructor(database: Database) {
    super(database, Category);
  }
}
