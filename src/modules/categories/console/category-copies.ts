import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../../api/console/page-context.js';
import { forPart, ConsoleDoor } from '../../../api/console/console-door.js';
import { Implements } from '../../../store/discovery/ports.js';
import { copyEach, MAX_PARTS, ProjectParts, requireFewParts, type CopiedParts, type NextProject } from '../../projects/index.js';
import type { ExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import { type Category, CATEGORY_FIELDS } from '../category.entity.js';

/** The active categories of a project, in the order in which they were made. */
@Implements(ProjectParts)
@Injectable()
export class CategoryCopies implements ProjectParts {
  readonly order = 10;
  readonly title = 'Categories';

  constructor(
    private readonly categories: CategoriesService,
    private readonly door: ConsoleDoor,
  ) {}

  async names(ctx: PageContext, projectId: string): Promise<readonly string[]> {
    return (await this.findCopied(ctx, projectId)).map(({ code }) => code);
  }

  async copy(ctx: PageContext, next: NextProject): Promise<CopiedParts> {
    const rows = await this.findCopied(ctx, next.from.id);
    return copyEach(rows.map((row) => ({ name: row.code, make: () => this.make(ctx, next, row) })));
  }

  private async findCopied(ctx: PageContext, projectId: string): Promise<readonly Category[]> {
    const { rows } = await this.categories.list(ctx, { page: 1, page_size: MAX_PARTS + 1, project_id: projectId, status: 'active' });
    return requireFewParts(rows, 'active categories').toReversed();
  }

  private make(ctx: PageContext, next: NextProject, row: Category) {
    const { id, code, name, sourceProvider, sourceMapping, status } = row;
    const body = { projectId: next.id, code, name, sourceProvider, sourceMapping, status, ...CATEGORY_FIELDS.shown(row) };
    return this.door.call<ExpenseCategoryDto>(forPart(ctx, id), { operation: 'expense_categories.create', body });
  }
}
