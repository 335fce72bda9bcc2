import { Injectable } from '@nestjs/common';
import type { ReadContext } from '../../store/database/transaction.js';
import { Database, type Statement } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { Category } from './category.entity.js';

const APPLICABLE: Statement = {
  name: 'expense_categories.applicable',
  text: `SELECT ${selectList(entityColumns(Category))} FROM expense_categories
    WHERE organization_id = $1 AND environment = $2 AND (project_id = $3 OR project_id IS NULL OR $3 IS NULL) ORDER BY id`,
};

@Injectable()
export class CategoriesRepository extends TenantRepository<Category> {
  constructor(database: Database) {
    super(database, Category);
  }

  applicable(ctx: ReadContext, projectId: string | null): Promise<Category[]> {
    return this.database.rows<Category>(APPLICABLE, [ctx.organizationId, ctx.environment, projectId], ctx.unit);
  }
}
