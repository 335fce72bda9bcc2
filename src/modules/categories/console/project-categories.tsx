import { Injectable } from '@nestjs/common';
import { forPart, ConsoleDoor } from '../../../api/console/console-door.js';
import { pathOf, type PageContext } from '../../../api/console/page.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/ports.js';
import { say, told } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { copyEach, MAX_PARTS, ProjectParts, requireFewParts, type CopiedParts, type NextProject } from '../../projects/index.js';
import type { ExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import { type Category, CATEGORY_FIELDS } from '../category.entity.js';

const SHOWN = 20;

@Implements(RecordPanel)
@Injectable()
export class ProjectCategories implements RecordPanel {
  readonly of = 'projects';
  readonly order = 30;

  constructor(private readonly categories: CategoriesService) {}

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const all = (await this.categories.applicable(ctx, id)).filter(({ status }) => status === 'active');
    const [list, create] = [`${pathOf(ctx, 'categories')}?project=${id}`, `${pathOf(ctx, 'categories', 'new')}?projectId=${id}`];
    const [to, label] = [pathOf(ctx, 'categories', 'templates'), say('console.categories.useTemplate')];
    if (all.length === 0) return { next: { step: 2, about: say('console.categories.next'), label, to } };
    const action = [create, say('console.records.new', { kind: 'categories', one: 'category' })] as const;
    const body = (
      <Part title={told('Categories')} action={ctx.can('expense_categories.create') ? action : undefined}>
        <Table
          caption={say('console.categories.ofProject')}
          rows={all.slice(0, SHOWN)}
          empty={null}
          columns={[
            [told('Name'), ({ id: category, name }) => <a href={pathOf(ctx, 'categories', category)}>{name}</a>],
            [told('Code'), ({ code }) => code],
            [
              say('console.categories.appliesTo'),
              ({ projectId }) => say(`console.categories.${projectId === null ? 'allProjects' : 'thisProject'}`),
            ],
          ]}
        />
        {all.length > SHOWN ? <a href={list}>{say('console.categories.allOf', { count: all.length })}</a> : null}
      </Part>
    );
    return { body };
  }
}

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
