import { sentenceOf, wordsOf } from '../../../api/console/error-words.js';
import { errorsIn, formOf, type FormState, type PageContext } from '../../../api/console/page.js';
import { recordBody, RecordInputs, recordValues } from '../../../api/console/parts/record.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { percent as said, say } from '../../../api/console/say.js';
import type { FreeForm } from '../../../kernel/json.js';
import { type Category, CATEGORY_FIELDS } from '../category.entity.js';
import { PreviewFields } from './preview.views.js';
import { mappingIn, rowsOf, type RuleRow, ruleFields, ruleOps } from './rule-rows.js';

export const noProject = () => ({ none: say('console.list.all'), path: 'projects' });

export function RulesView({ mapping }: { mapping: FreeForm }) {
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

export const PREVIEW_PATH = '/preview';

export function CategoryForm({ ctx, state, rows, projects, submit, cancel, action }: FormProps) {
  const isJson = (state.values('sourceMapping')[0] ?? '').trim() !== '';
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel} action={action}>
      {/* The first button is the one that Enter presses. */}
      <button class="unseen" tabIndex={-1} aria-hidden="true">
        {submit}
      </button>
      <RecordInputs fields={CATEGORY_FIELDS} state={state} related={{ projectId: { ...noProject(), choices: projects } }} />
      {isJson ? null : <RuleRows state={state} rows={rows} />}
      <AreaField
        state={isJson ? state : { values: state.values }}
        name="sourceMapping"
        label={say('console.categories.asJson')}
        hint={say('console.categories.asJsonHint')}
        rows={isJson ? 20 : 3}
      />
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
  const { field, op, value, percent } = row;
  const nth = (name: string): string => `${name}-${index}`;
  const own = formOf({ [nth('field')]: field, [nth('op')]: op, [nth('value')]: value, [nth('percent')]: percent });
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

export const wantsRows = ({ form }: PageContext): boolean => form.text(DO_FIELD) === MORE_ROWS;
export const keptOf = ({ form }: PageContext): FormState => ({ values: (name) => form.list(name) });

export function valuesOf(category: Category) {
  const { sourceMapping } = category;
  const json = rowsOf(sourceMapping) === undefined ? JSON.stringify(sourceMapping, null, 2) : '';
  return { ...recordValues(CATEGORY_FIELDS, category), sourceMapping: json };
}

export const bodyIn = ({ form }: PageContext) => ({ ...recordBody(CATEGORY_FIELDS, form), sourceMapping: mappingIn(form) });
