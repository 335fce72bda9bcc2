import { Param, Injectable } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState, type PageContext, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { type Columns, RecordPages } from '../../../api/console/record-pages.js';
import { say } from '../../../api/console/say.js';
import { RecordSearch, SearchSource } from '../../../api/console/search-source.js';
import { Implements } from '../../../store/discovery/ports.js';
import { ProjectsService } from '../../projects/index.js';
import type { ExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import { type Category, CATEGORY_FIELDS } from '../category.entity.js';
import { bodyIn, keptOf, noProject, RulesView, valuesOf, wantsRows, CategoryForm, PREVIEW_PATH } from './categories.views.js';
import { PreviewView } from './preview.views.js';
import type { RulePreview } from './rule-previews.js';
import { rowsIn, rowsOf, withBlanks, type RuleRow } from './rule-rows.js';

const SECTION = 'categories';
const FURTHER_ROWS = 10;

@Injectable()
export class CategoryPages {
  constructor(private readonly projects: ProjectsService) {}

  new(ctx: PageContext, state: FormState, rows: readonly RuleRow[], shown: Shown = {}): Promise<Answer> {
    const [cancel, action] = [pathOf(ctx, 'categories'), pathOf(ctx, 'categories', 'new')];
    return this.form(ctx, state, rows, { ...shown, isNew: true, cancel, action });
  }

  edit(ctx: PageContext, state: FormState, rows: readonly RuleRow[], shown: Shown = {}): Promise<Answer> {
    const action = ctx.path.replace(new RegExp(`${PREVIEW_PATH}$`), '');
    const cancel = action.replace(/\/edit$/, '');
    return this.form(ctx, state, rows, { ...shown, isNew: false, cancel, action });
  }

  private async form(ctx: PageContext, state: FormState, rows: readonly RuleRow[], said: Said): Promise<Answer> {
    const { isNew, cancel, action, blanks, preview } = said;
    const submit = isNew ? say('console.records.create', { kind: 'categories', one: 'category' }) : say('console.record.save');
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    const form = { ctx, state, rows: withBlanks(rows, blanks), projects, submit, cancel, action };
    return page(
      say(`console.records.${isNew ? 'new' : 'edit'}`, { kind: 'categories', one: 'category' }),
      <>
        <CategoryForm {...form} />
        {preview ? <PreviewView ctx={ctx} preview={preview} /> : null}
      </>,
      state.problem?.status,
    );
  }
}

@ConsoleSection({
  path: SECTION,
  label: 'Categories',
  adds: 'New category',
  group: 'Claims',
  order: 3,
  operation: 'expense_categories.list',
})
export class CategoriesConsole extends RecordPages({
  path: SECTION,
  operations: 'expense_categories',
  id: 'category_id',
  fields: CATEGORY_FIELDS,
  one: 'category',
  all: 'Expense categories',
  about: 'A category is a kind of expense that can be claimed. Its rules say which lines of statements belong to it.',
  search: 'Code or name',
}) {
  constructor(
    categories: CategoriesService,
    private readonly projects: ProjectsService,
    door: ConsoleDoor,
    private readonly pages: CategoryPages,
  ) {
    super(categories, door);
  }

  @Page({ route: 'GET /new', operation: 'expense_categories.create' })
  override new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.pages.new(ctx, formOf({ status: 'active', projectId: ctx.query.get('projectId') ?? '' }), []);
  }

  @Action({ route: 'POST /new', operation: 'expense_categories.create' })
  override create(@PageCtx() ctx: PageContext): Promise<Answer> {
    if (wantsRows(ctx)) return this.pages.new(ctx, keptOf(ctx), rowsIn(ctx.form), { blanks: FURTHER_ROWS });
    const create = async (): Promise<Answer> => {
      const { id } = await this.door.call<ExpenseCategoryDto>(ctx, { body: bodyIn(ctx) });
      return goTo(pathOf(ctx, SECTION, id), say('console.records.created', { kind: SECTION, one: 'category' }));
    };
    return orAgain(ctx, create, (state) => this.pages.new(ctx, state, rowsIn(ctx.form)));
  }

  @Page({ route: 'GET /:category_id/edit', operation: 'expense_categories.update' })
  override async edit(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    const category = await this.records.get(ctx, id);
    return this.pages.edit(ctx, formOf(valuesOf(category)), rowsOf(category.sourceMapping) ?? []);
  }

  @Action({ route: 'POST /:category_id/edit', operation: 'expense_categories.update' })
  override async update(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    await this.records.get(ctx, id);
    if (wantsRows(ctx)) return this.pages.edit(ctx, keptOf(ctx), rowsIn(ctx.form), { blanks: FURTHER_ROWS });
    const update = async (): Promise<Answer> => {
      const given = { params: { category_id: id }, body: bodyIn(ctx) };
      await this.door.call<ExpenseCategoryDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), say('console.records.changed', { kind: SECTION, one: 'category' }));
    };
    return orAgain(ctx, update, (state) => this.pages.edit(ctx, state, rowsIn(ctx.form)));
  }

  protected override async related(ctx: PageContext, rows: readonly Category[]) {
    const ids = rows.map(({ projectId }) => projectId);
    return { projectId: { ...noProject(), names: await this.projects.names(ctx, ids) } };
  }

  protected override async choices(ctx: PageContext) {
    return { projectId: { ...noProject(), choices: await this.projects.choices(ctx) } };
  }

  protected override furtherColumns(): Columns<Category> {
    return [[say('console.categories.rules'), ({ sourceMapping: { rules } }) => (Array.isArray(rules) ? rules.length : 0), 'number']];
  }

  protected override listButtons(ctx: PageContext) {
    return (
      <a class="button plain" href={pathOf(ctx, SECTION, 'templates')}>
        {say('console.categories.useTemplate')}
      </a>
    );
  }

  protected override furtherParts(_ctx: PageContext, { sourceMapping }: Category) {
    return (
      <>
        <h2>{say('console.categories.rules')}</h2>
        <RulesView mapping={sourceMapping} />
      </>
    );
  }
}

interface Shown {
  readonly blanks?: number;
  readonly preview?: RulePreview;
}

interface Said extends Shown {
  readonly isNew: boolean;
  readonly cancel: string;
  readonly action: string;
}

@Implements(SearchSource)
@Injectable()
export class CategorySearch extends RecordSearch<Category>({
  label: 'Categories',
  order: 30,
  path: 'categories',
  operations: 'expense_categories',
  titleOf: ({ name }) => name,
  aboutOf: ({ code }) => code,
}) {
  constructor(categories: CategoriesService) {
    super(categories);
  }
}
