import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { jsonOf } from '../../../api/console/json-field.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain, Performer } from '../../../api/console/performer.js';
import { ProjectsService } from '../../projects/index.js';
import { CATEGORY_STATUSES } from '../category.entity.js';
import { ExpenseCategoryDto, type CreateExpenseCategoryDto, type UpdateExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import { CategoryForm, CategoryList, CategoryView, valuesOf } from './categories.views.js';

const SECTION = 'categories';

@ConsoleSection({ path: SECTION, label: 'Categories', group: 'Claims', order: 3, operation: 'expense_categories.list' })
export class CategoriesConsole {
  constructor(
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly performer: Performer,
  ) {}

  @Page({ route: 'GET /', operation: 'expense_categories.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const search = ctx.query.get('search')?.slice(0, 200) || undefined;
    const status = chosenIn(ctx, 'status', CATEGORY_STATUSES);
    const found = await this.categories.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, search, status });
    const names = await this.projects.names(
      ctx,
      found.rows.map(({ projectId }) => projectId),
    );
    return page('Expense categories', <CategoryList ctx={ctx} found={found} projects={names} />);
  }

  @Page({ route: 'GET /new', operation: 'expense_categories.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf({ status: 'active' }));
  }

  @Action({ route: 'POST /new', operation: 'expense_categories.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const given = { body: fieldsOf(ctx) };
      const { id } = await this.performer.perform<CreateExpenseCategoryDto, ExpenseCategoryDto>(ctx, given, async (inner, body) =>
        ExpenseCategoryDto.from(await this.categories.create(inner, body)),
      );
      return goTo(pathOf(ctx, SECTION, id), 'The category was created.');
    };
    return orAgain(ctx, create, (state) => this.form(ctx, state));
  }

  @Page({ route: 'GET /:category_id', operation: 'expense_categories.get' })
  async show(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    const row = await this.categories.get(ctx, id);
    const names = await this.projects.names(ctx, [row.projectId]);
    return page(row.name, <CategoryView ctx={ctx} row={row} projects={names} />);
  }

  @Page({ route: 'GET /:category_id/edit', operation: 'expense_categories.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    return this.form(ctx, formOf(valuesOf(await this.categories.get(ctx, id))), id);
  }

  @Action({ route: 'POST /:category_id/edit', operation: 'expense_categories.update' })
  update(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const given = { params: { category_id: id }, body: fieldsOf(ctx) };
      await this.performer.perform<UpdateExpenseCategoryDto, ExpenseCategoryDto>(ctx, given, async (inner, body) =>
        ExpenseCategoryDto.from(await this.categories.update(inner, id, body)),
      );
      return goTo(pathOf(ctx, SECTION, id), 'The category was changed.');
    };
    return orAgain(ctx, update, (state) => this.form(ctx, state, id));
  }

  private async form(ctx: PageContext, state: FormState, id?: string): Promise<Answer> {
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    const title = id === undefined ? 'New category' : 'Edit category';
    const cancel = pathOf(ctx, SECTION, ...(id === undefined ? [] : [id]));
    return page(title, <CategoryForm ctx={ctx} state={state} projects={projects} cancel={cancel} />, state.problem?.status);
  }
}

const fieldsOf = ({ form }: PageContext) => ({
  projectId: form.given('projectId') ?? null,
  code: form.text('code'),
  name: form.text('name'),
  status: form.text('status'),
  sourceMapping: jsonOf(form, 'sourceMapping'),
});
