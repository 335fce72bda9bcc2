import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import { BoundedRepository, RecordBounds } from '../../store/tenant/record-bounds.js';
import { ofProjectsOrAll, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import type { FreeForm } from '../../kernel/json.js';
import { Category } from './category.entity.js';

export interface CategoryOutline extends Pick<Category, 'id' | 'projectId' | 'code' | 'name' | 'status'> {
  readonly mappingBytes: number;
}

const APPLICABLE = tenantSql(
  'expense_categories.applicable',
  `SELECT id, project_id AS "projectId", code, name, status, octet_length(source_mapping::text) AS "mappingBytes"
    FROM expense_categories
    WHERE ${TENANT} AND (project_id IS NULL OR project_id = :projectId OR :projectId IS NULL)${ofProjectsOrAll('project_id')} ORDER BY id`,
);
const MAPPINGS = tenantSql(
  'expense_categories.mappings',
  `SELECT id, source_mapping AS "sourceMapping" FROM expense_categories
    WHERE ${TENANT} AND id = ANY (:ids)${ofProjectsOrAll('project_id')}`,
);

const RECORDS = { name: 'expenseCategories', noun: 'expense categories', table: 'expense_categories' } as const;

@Injectable()
export class CategoriesRepository extends BoundedRepository<Category> {
  constructor(database: Database, bounds: RecordBounds) {
    super(database, bounds, Category, RECORDS, { keepsAll: true, isForAll: true });
  }

  applicable(ctx: ReadContext, projectId: string | null): Promise<CategoryOutline[]> {
    return this.database.rows<CategoryOutline>(...APPLICABLE.bind(ctx, { projectId }), ctx.unit);
  }

  async mappings(ctx: ReadContext, ids: readonly string[]): Promise<ReadonlyMap<string, FreeForm>> {
    const rows = await this.database.rows<{ id: string; sourceMapping: FreeForm }>(...MAPPINGS.bind(ctx, { ids }), ctx.unit);
    return new Map(rows.map(({ id, sourceMapping }) => [id, sourceMapping]));
  }
}
