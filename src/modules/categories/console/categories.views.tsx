import { errorsIn, formOf, type FormState } from '../../../api/console/form.js';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { customFacts, customFieldsIn, CustomInputs, customValues } from '../../../api/console/parts/custom-fields.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { FreeForm } from '../../../kernel/json.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { CATEGORY_FIELDS } from '../categories.dto.js';
import { type Category, type CategoryStatus, SOURCE_PROVIDERS } from '../category.entity.js';
import { PreviewFields } from './preview.views.js';
import { mappingIn, rowsOf, RULE_FIELDS, RULE_OPS, type RuleRow } from './rule-rows.js';

export const STATUSES: readonly Choice[] = [
  ['active', 'Active'],
  ['archived', 'Archived'],
];

const Status = ({ of: status }: { of: CategoryStatus }) =>
  status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="busy">Archived</Badge>;

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<Category>;
  readonly projects: readonly Choice[];
  readonly names: ReadonlyMap<string, string>;
}

export function CategoryList({ ctx, found, projects, names }: ListProps) {
  return (
    <>
      <p>A category is a kind of expense that can be claimed. Its rules say which lines of statements belong to it.</p>
      {ctx.can('expense_categories.create') ? (
        <p class="buttons">
          <a class="button" href={pathOf(ctx, 'categories', 'new')}>
            New category
          </a>
          <a class="button plain" href={pathOf(ctx, 'categories', 'templates')}>
            Use a template
          </a>
        </p>
      ) : null}
      <Filters
        ctx={ctx}
        search="Code or name"
        selects={[
          ['project', 'Project', projects],
          ['status', 'Status', STATUSES],
        ]}
      />
      <Table
        caption="Expense categories"
        rows={found.rows}
        empty={<p>No category is here yet, or none that you searched for.</p>}
        columns={[
          ['Code', ({ id, code }) => <a href={pathOf(ctx, 'categories', id)}>{code}</a>],
          ['Name', ({ name }) => name],
          ['Project', ({ projectId }) => (projectId === null ? 'All' : (names.get(projectId) ?? projectId))],
          ['Rules', ({ sourceMapping }) => (Array.isArray(sourceMapping.rules) ? sourceMapping.rules.length : 0), 'number'],
          ['Status', ({ status }) => <Status of={status} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

export function CategoryView({ ctx, category, names }: { ctx: PageContext; category: Category; names: ReadonlyMap<string, string> }) {
  const { id, projectId, code, name, sourceProvider, sourceMapping, status, createdAt, updatedAt } = category;
  return (
    <>
      <Facts
        facts={[
          ['Code', code],
          ['Name', name],
          ['Project', projectId === null ? 'All' : <a href={pathOf(ctx, 'projects', projectId)}>{names.get(projectId) ?? projectId}</a>],
          ['Status', <Status of={status} />],
          ['Source', sourceProvider],
          ...customFacts(CATEGORY_FIELDS, category),
          ['Id', <code>{id}</code>],
          ['Created', <Time ctx={ctx} at={createdAt} />],
          ['Changed', <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <h2>Rules</h2>
      <RulesView mapping={sourceMapping} />
      {ctx.can('expense_categories.update') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'categories', id, 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
    </>
  );
}

/** As rows if they say all of it, else as JSON. */
export function RulesView({ mapping }: { mapping: FreeForm }) {
  const rows = rowsOf(mapping);
  if (!rows)
    return (
      <pre tabIndex={0} aria-label="Rules as JSON">
        {JSON.stringify(mapping, null, 2)}
      </pre>
    );
  return (
    <Table
      caption="Rules"
      rows={rows}
      empty={<p>It has no rules yet, so it claims nothing.</p>}
      columns={[
        ['A line belongs to it if', ({ field, op, value }) => `${field} ${RULE_OPS.find(([known]) => known === op)?.[1] ?? op} ${value}`],
        ['Claimable', ({ percent }) => `${percent || '100'} %`, 'number'],
      ]}
    />
  );
}

/** The name of the button that shows the form with more rows. */
const DO_FIELD = 'do';
const MORE_ROWS = 'rows';

const PROVIDERS: readonly Choice[] = SOURCE_PROVIDERS.map((name) => [name, name]);

interface FormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly rows: readonly RuleRow[];
  readonly projects: readonly Choice[];
  readonly submit: string;
  readonly cancel: string;
  /** Where the form is sent to; its preview is below. */
  readonly action: string;
}

/** What is after the address of the form in that of its preview. */
export const PREVIEW_PATH = '/preview';

export function CategoryForm({ ctx, state, rows, projects, submit, cancel, action }: FormProps) {
  const isJson = (state.values('sourceMapping')[0] ?? '').trim() !== '';
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel} action={action}>
      {/* The first button is the one that Enter presses. */}
      <button class="unseen" tabIndex={-1} aria-hidden="true">
        {submit}
      </button>
      <TextField state={state} name="code" label="Code" hint="Your own, such as TRAVEL-RAIL." required maxLength={100} />
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <SelectField state={state} name="projectId" label="Project" choices={[['', 'All'], ...projects]} />
      <SelectField state={state} name="status" label="Status" choices={STATUSES} />
      <SelectField state={state} name="sourceProvider" label="Source" choices={PROVIDERS} />
      <CustomInputs fields={CATEGORY_FIELDS} state={state} />
      {isJson ? null : <RuleRows state={state} rows={rows} />}
      <AreaField
        state={isJson ? state : { values: state.values }}
        name="sourceMapping"
        label="Rules as JSON"
        hint="For what rows cannot say: several conditions, priority, tax, booking accounts. It counts instead of the rows."
        rows={isJson ? 20 : 3}
      />
      <PreviewFields state={state} projects={projects} action={`${action}${PREVIEW_PATH}`} />
    </ConsoleForm>
  );
}

function RuleRows({ state, rows }: Pick<FormProps, 'state' | 'rows'>) {
  return (
    <fieldset>
      <legend>Rules</legend>
      <p class="hint">A line belongs to the category if one of these rules holds. Rows without a value do not count.</p>
      {rows.map((row, index) => (
        <Row row={row} index={index} state={state} />
      ))}
      <button class="plain" name={DO_FIELD} value={MORE_ROWS} formNoValidate>
        More rows
      </button>
    </fieldset>
  );
}

/** Rules are sent in the order of their rows, so an error of a rule is one of its row. */
function Row({ row, index, state }: { row: RuleRow; index: number; state: FormState }) {
  const { field, op, value, percent } = row;
  const nth = (name: string): string => `${name}-${index}`;
  const own = formOf({ [nth('field')]: field, [nth('op')]: op, [nth('value')]: value, [nth('percent')]: percent });
  return (
    <>
      <div class="filters" role="group" aria-label={`Rule ${index + 1}`}>
        <SelectField state={own} name={nth('field')} label="Field" choices={RULE_FIELDS} />
        <SelectField state={own} name={nth('op')} label="Test" choices={RULE_OPS} />
        <TextField state={own} name={nth('value')} label="Value" maxLength={1000} />
        <TextField state={own} name={nth('percent')} label="Claimable %" placeholder="100" maxLength={10} />
      </div>
      {errorsIn(state, `sourceMapping.rules[${index}]`).map((error) => (
        <p class="error">
          Rule {index + 1}: <code>{error.field}</code> {error.message}
        </p>
      ))}
    </>
  );
}

/** Whether the button for more rows was pressed. */
export const wantsRows = ({ form }: PageContext): boolean => form.text(DO_FIELD) === MORE_ROWS;

/** What was entered so far. */
export const keptOf = ({ form }: PageContext): FormState => ({ values: (name) => form.list(name) });

/** What the form shows of a category. */
export function valuesOf(category: Category) {
  const { projectId, code, name, status, sourceProvider, sourceMapping } = category;
  const json = rowsOf(sourceMapping) === undefined ? JSON.stringify(sourceMapping, null, 2) : '';
  return { projectId, code, name, status, sourceProvider, sourceMapping: json, ...customValues(CATEGORY_FIELDS, category) };
}

/** The body of the operation. */
export const fieldsOf = ({ form }: PageContext) => ({
  projectId: form.given('projectId') ?? null,
  code: form.text('code'),
  name: form.text('name'),
  status: form.text('status'),
  sourceProvider: form.text('sourceProvider'),
  sourceMapping: mappingIn(form),
  ...customFieldsIn(CATEGORY_FIELDS, form),
});
