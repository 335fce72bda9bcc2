import { errorsIn, formOf, type FormState } from '../../../api/console/form.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { CustomInputs } from '../../../api/console/parts/custom-fields.js';
import { AreaField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { CATEGORY_FIELDS } from '../categories.dto.js';
import { SOURCE_PROVIDERS } from '../category.entity.js';
import { STATUSES } from './categories.views.js';
import { PreviewFields } from './preview.views.js';
import { RULE_FIELDS, RULE_OPS, type RuleRow } from './rule-rows.js';

/** The name of the button that shows the form with more rows. */
export const DO_FIELD = 'do';
export const MORE_ROWS = 'rows';

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
