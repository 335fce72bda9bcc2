import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database } from '../../store/database/database.js';
import type { ReadContext } from '../../store/database/transaction.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { Category } from './category.entity.js';

@Injectable()
export class CategoriesRepository extends TenantRepository<Category> {
  constructor(database: Database) {
    super(database, Category);
  }

  /** The categories that a report on a project uses: its own, and those of the whole organization. Without a project, all of them. */
  applicable(ctx: ReadContext, projectId: string | null): Promise<Category[]> {
    const where = projectId === null ? {} : [{ projectId }, { projectId: IsNull() }];
    return this.find(ctx, { where, order: { id: 'ASC' } });
  }
}
