import { Param } from '@nestjs/common';
import { PlainLink } from '../../../api/console/parts/facts.js';
import { ConsoleDoor, orAgain, forPart } from '../../../api/console/console-door.js';
import { Action, ConsoleSection } from '../../../api/console/declarations.js';
import { sentenceOf, wordsOf } from '../../../api/console/error-words.js';
import { errorsIn, formOf, type FormState, type PageContext, PageCtx, pathOf, type Answer, page } from '../../../api/console/page.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { RecordInputs } from '../../../api/console/parts/record.js';
import { type Brief, RecordSearch, SearchSource, type Panel, RecordPanel } from '../../../api/console/ports.js';
import { type Columns, RecordPages } from '../../../api/console/record-pages.js';
import { percent as said, say, told } from '../../../api/console/say.js';
import type { FreeForm } from '../../../kernel/json.js';
import { Implements, Ports } from '../../../store/discovery/ports.js';
import { ProjectsService, copyEach, MAX_PARTS, ProjectParts, requireFewParts } from '../../projects/index.js';
import type { CopiedParts, NextProject } from '../../projects/index.js';
import { ExpenseCategoryDto, type CreateExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import { type Category, CATEGORY_FIELDS } from '../category.entity.js';
import { PreviewFields, PreviewView, type RulePreview, RulePreviews, scopeIn } from './rule-previews.js';
import { mappingIn, mappingValues, rowsOf, type RuleRow, ruleFields, ruleOps, rowsIn, rowValues, withBlanks } from './rule-rows.js';

const noProject = () => ({ none: say('console.list.all'), path: 'projects' });

function RulesView({ mapping }: { mapping: FreeForm }) {
  const rows = rowsOf(mapping);
  if (!rows)
    return (
      <pre tabIndex={0} aria-label={say('console.categories.asJson')}>
        {JSON.stringify(mapping, null, 2)}
      </pre>
    );
  return (
    <Table
      caption={say('console.categories.rules')}
      rows={rows}
      empty={<p>{say('console.categories.noRules')}</p>}
      columns={[
        [say('console.categories.belongs'), ({ field, op, value }) => say('console.categories.rule', { field, op, value })],
        [say('console.categories.claimable'), ({ percent }) => said(percent || '100'), 'number'],
      ]}
    />
  );
}

const DO_FIELD = 'do';
const MORE_ROWS = 'rows';

interface FormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly rows: readonly RuleRow[];
  readonly projects: readonly Choice[];
  readonly submit: string;
  readonly cancel: string;
  readonly action: string;
}

const PREVIEW_PATH = '/preview';
const PREVIEWED = { action: 'organization.lines_previewed' } as const;

function CategoryForm({ ctx, state, rows, projects, submit, cancel, action }: FormProps) {
  const isJson = (state.values('sourceMapping')[0] ?? '').trim() !== '';
  const json = { name: 'sourceMapping', label: say('console.categories.asJson'), hint: say('console.categories.asJsonHint') };
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel} action={action}>
      {/* The first button is the one that Enter presses. */}
      <button class="unseen" tabIndex={-1} aria-hidden="true">
        {submit}
      </button>
      <RecordInputs fields={CATEGORY_FIELDS} state={state} related={{ projectId: { ...noProject(), choices: projects } }} />
      {isJson ? null : <RuleRows state={state} rows={rows} />}
      <AreaField {...json} state={isJson ? state : { values: state.values }} rows={isJson ? 20 : 3} />
      <PreviewFields state={state} projects={projects} action={`${action}${PREVIEW_PATH}`} />
    </ConsoleForm>
  );
}

function RuleRows({ state, rows }: Pick<FormProps, 'state' | 'rows'>) {
  return (
    <fieldset class="rules">
      <legend>{say('console.categories.rules')}</legend>
      <p class="hint">{say('console.categories.rulesHint')}</p>
      {rows.map((row, index) => (
        <Row row={row} index={index} state={state} />
      ))}
      <button class="plain" name={DO_FIELD} value={MORE_ROWS} formNoValidate>
        {say('console.categories.moreRows')}
      </button>
    </fieldset>
  );
}

/** Rules are sent in the order of their rows, so an error of a rule is one of its row. */
function Row({ row, index, state }: { row: RuleRow; index: number; state: FormState }) {
  const nth = (name: string): string => `${name}-${index}`;
  const own = formOf(rowValues(row, index));
  const number = String(index + 1);
  return (
    <>
      <div class="filters" role="group" aria-label={say('console.categories.nth', { number })}>
        <SelectField state={own} name={nth('field')} label={say('console.categories.field')} choices={ruleFields()} />
        <SelectField state={own} name={nth('op')} label={say('console.categories.test')} choices={ruleOps()} />
        <TextField state={own} name={nth('value')} label={say('console.categories.value')} maxLength={1000} />
        <TextField state={own} name={nth('percent')} label={say('console.categories.claimablePercent')} placeholder="100" maxLength={10} />
      </div>
      {errorsIn(state, `sourceMapping.rules[${index}]`).map((error) => (
        <p class="error">{say('console.categories.nthError', { number, error: sentenceOf(error, wordsOf(error.field)) })}</p>
      ))}
    </>
  );
}

const SECTION = 'categories';
const FURTHER_ROWS = 10;

/** What a form shows besides what was entered. */
interface Shown {
  readonly blanks?: number;
  readonly preview?: RulePreview;
}

const wantsRows = ({ form }: PageContext): boolean => form.text(DO_FIELD) === MORE_ROWS;
const entered = ({ form }: PageContext): FormState => ({ values: (name) => form.list(name) });

/** What rules may be previewed with before the category has a name. */
const UNNAMED = 'PREVIEW';

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
    private readonly ports: Ports,
  ) {
    super(categories, door);
  }

  @Action({ route: 'POST /new', operation: 'expense_categories.create' })
  override create(@PageCtx() ctx: PageContext): Promise<Answer> {
    return wantsRows(ctx) ? this.form(ctx, entered(ctx), undefined, { blanks: FURTHER_ROWS }) : super.create(ctx);
  }

  @Action({ route: 'POST /:category_id/edit', operation: 'expense_categories.update' })
  override async update(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    await this.records.get(ctx, id);
    return wantsRows(ctx) ? this.form(ctx, entered(ctx), id, { blanks: FURTHER_ROWS }) : super.update(ctx, id);
  }

  @Action({ route: `POST /new${PREVIEW_PATH}`, operation: 'expense_categories.create', reads: PREVIEWED })
  previewNew(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.previewed(ctx);
  }

  @Action({ route: `POST /:category_id/edit${PREVIEW_PATH}`, operation: 'expense_categories.update', reads: PREVIEWED })
  async preview(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    await this.records.get(ctx, id);
    return this.previewed(ctx, id);
  }

  /** The form, with what its rules would claim. Nothing is stored. */
  private previewed(ctx: PageContext, id?: string): Promise<Answer> {
    const show = async (): Promise<Answer> => {
      const body = { ...this.bodyIn(ctx), code: ctx.form.given('code') ?? UNNAMED, name: ctx.form.given('name') ?? UNNAMED };
      const { projectId = null, code, name, sourceMapping = {} } = await this.door.checked<CreateExpenseCategoryDto>(ctx, body);
      const category = { id: id ?? null, projectId, code, name, sourceMapping };
      const preview = await this.ports.only(RulePreviews)!.preview(ctx, category, scopeIn(ctx.form));
      return this.form(ctx, entered(ctx), id, { preview });
    };
    return orAgain(ctx, show, (state) => this.form(ctx, state, id));
  }

  protected override async form(ctx: PageContext, state: FormState, id?: string, { blanks, preview }: Shown = {}): Promise<Answer> {
    const [cancel, action] = id === undefined ? [pathOf(ctx, SECTION), 'new'] : [pathOf(ctx, SECTION, id), 'edit'];
    const isNew = id === undefined;
    const submit = isNew ? say('console.records.create', { kind: 'categories', one: 'category' }) : say('console.record.save');
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    const form = { ctx, state, rows: withBlanks(rowsIn(state), blanks), projects, submit, cancel, action: `${cancel}/${action}` };
    return page(
      say(`console.records.${isNew ? 'new' : 'edit'}`, { kind: 'categories', one: 'category' }),
      <>
        <CategoryForm {...form} />
        {preview ? <PreviewView ctx={ctx} preview={preview} /> : null}
      </>,
      state.problem?.status,
    );
  }

  protected override valuesOf(category: Category) {
    return { ...super.valuesOf(category), ...mappingValues(category.sourceMapping) };
  }

  protected override bodyIn(ctx: PageContext) {
    return { ...super.bodyIn(ctx), sourceMapping: mappingIn(entered(ctx)) };
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
    return <PlainLink to={pathOf(ctx, SECTION, 'templates')} label={say('console.categories.useTemplate')} />;
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

@Implements(SearchSource)
export class CategorySearch extends RecordSearch<Category>({
  label: 'Categories',
  order: 30,
  path: 'categories',
  operations: 'expense_categories',
  titleOf: ({ name }) => name,
  aboutOf: ({ code }) => code,
  shows: [ExpenseCategoryDto],
}) {
  constructor(categories: CategoriesService) {
    super(categories);
  }
}

const SHOWN = 50;

@Implements(RecordPanel)
export class ProjectCategories implements RecordPanel {
  readonly of = 'projects';
  readonly order = 30;
  readonly tab = 'categories';
  readonly shows = [ExpenseCategoryDto];

  constructor(private readonly categories: CategoriesService) {}

  async readBrief(ctx: PageContext, id: string): Promise<Brief> {
    const [to, label] = [pathOf(ctx, 'categories', 'templates'), say('console.categories.useTemplate')];
    return {
      label: told('Categories'),
      count: await this.categories.countApplicable(ctx, id),
      add: [`${pathOf(ctx, 'categories', 'new')}?projectId=${id}`, say('console.records.new', { kind: 'categories', one: 'category' })],
      next: { step: 2, about: say('console.categories.next'), label, to },
    };
  }

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const all = (await this.categories.applicable(ctx, id)).filter(({ status }) => status === 'active');
    const body = (
      <>
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
        {all.length > SHOWN ? (
          <a href={`${pathOf(ctx, 'categories')}?project=${id}`}>{say('console.categories.allOf', { count: all.length })}</a>
        ) : null}
      </>
    );
    return { body };
  }
}

@Implements(ProjectParts)
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
