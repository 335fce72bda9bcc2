import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenAmong, chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { ProjectsService } from '../../projects/index.js';
import { ExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import { CATEGORY_STATUSES } from '../category.entity.js';
import { CategoryList, CategoryView, fieldsOf, keptOf, valuesOf, wantsRows } from './categories.views.js';
import { CategoryPages } from './category-pages.js';
import { rowsIn, rowsOf } from './rule-rows.js';

const SECTION = 'categories';
const FURTHER_ROWS = 10;

@ConsoleSection({ path: SECTION, label: 'Categories', group: 'Claims', order: 3, operation: 'expense_categories.list' })
export class CategoriesConsole {
  constructor(
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
    private readonly pages: CategoryPages,
  ) {}

  @Page({ route: 'GET /', operation: 'expense_categories.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const projects = await this.projects.choices(ctx);
    const found = await this.categories.list(ctx, {
      page: pageNumberIn(ctx),
      page_size: PAGE_SIZE,
      search: ctx.query.get('search')?.slice(0, 200) || undefined,
      project_id: chosenAmong(ctx, 'project', projects),
      status: chosenIn(ctx, 'status', CATEGORY_STATUSES),
    });
    const names = await this.projects.names(
      ctx,
      found.rows.map(({ projectId }) => projectId),
    );
    return page('Expense categories', <CategoryList ctx={ctx} found={found} projects={projects} names={names} />);
  }

  @Page({ route: 'GET /new', operation: 'expense_categories.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.pages.new(ctx, formOf({ status: 'active' }), []);
  }

  @Action({ route: 'POST /new', operation: 'expense_categories.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    if (wantsRows(ctx)) return this.pages.new(ctx, keptOf(ctx), rowsIn(ctx.form), { blanks: FURTHER_ROWS });
    const create = async (): Promise<Answer> => {
      const { id } = await this.door.call<ExpenseCategoryDto>(ctx, { body: fieldsOf(ctx) });
      return goTo(pathOf(ctx, SECTION, id), 'The category was created.');
    };
    return orAgain(ctx, create, (state) => this.pages.new(ctx, state, rowsIn(ctx.form)));
  }

  @Page({ route: 'GET /:category_id', operation: 'expense_categories.get' })
  async show(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    const category = await this.categories.get(ctx, id);
    const names = await this.projects.names(ctx, [category.projectId]);
    return page(category.name, <CategoryView ctx={ctx} category={category} names={names} />);
  }

  @Page({ route: 'GET /:category_id/edit', operation: 'expense_categories.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    const category = await this.categories.get(ctx, id);
    return this.pages.edit(ctx, formOf(valuesOf(category)), rowsOf(category.sourceMapping) ?? []);
  }

  @Action({ route: 'POST /:category_id/edit', operation: 'expense_categories.update' })
  async update(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    await this.categories.get(ctx, id);
    if (wantsRows(ctx)) return this.pages.edit(ctx, keptOf(ctx), rowsIn(ctx.form), { blanks: FURTHER_ROWS });
    const update = async (): Promise<Answer> => {
      const given = { params: { category_id: id }, body: fieldsOf(ctx) };
      await this.door.call<ExpenseCategoryDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'The category was changed.');
    };
    return orAgain(ctx, update, (state) => this.pages.edit(ctx, state, rowsIn(ctx.form)));
  }
}
