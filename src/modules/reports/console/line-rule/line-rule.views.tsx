import { errorsIn, type FormState } from '../../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../../api/console/page-context.js';
import { Facts } from '../../../../api/console/parts/facts.js';
import { ConsoleForm, SelectField, TextField, type Choice } from '../../../../api/console/parts/fields.js';
import { PreviewFields, PreviewView, type RulePreview } from '../../../categories/index.js';
import type { RuledLine } from './line-rules.js';

/** What a preview has shown. If the form says something else, it is previewed again before it is stored. */
export const PREVIEWED_FIELD = 'previewed';

export interface Previewed {
  readonly preview: RulePreview;
  readonly wanted: string;
  readonly isNew: boolean;
}

interface FormProps {
  readonly ctx: PageContext;
  readonly ruled: RuledLine;
  readonly state: FormState;
  readonly path: string;
  readonly projects: readonly Choice[];
  readonly previewed: Previewed | undefined;
}

export const LineFacts = ({ ctx, ruled: { run, line } }: Pick<FormProps, 'ctx' | 'ruled'>) => (
  <Facts
    facts={[
      ['Run', <a href={pathOf(ctx, 'reports', run.id)}>The run that no category claims it in</a>],
      ['Date', line.bookedOn],
      ['Description', line.description],
      ['Counterparty', line.counterparty],
      ['Amount', `${line.amount} ${line.currency ?? ''}`],
    ]}
  />
);

export function LineRuleForm({ ctx, ruled, state, path, projects, previewed }: FormProps) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit="Preview" action={`${path}/preview`} cancel={pathOf(ctx, 'reports', ruled.run.id)}>
      <RuleFields state={state} />
      <CategoryFields state={state} ruled={ruled} />
      <PreviewFields state={state} projects={projects} action={`${path}/preview`} />
      {previewed ? <PreviewedRule ctx={ctx} path={path} previewed={previewed} /> : null}
    </ConsoleForm>
  );
}

function RuleFields({ state }: Pick<FormProps, 'state'>) {
  return (
    <fieldset>
      <legend>Rule</legend>
      <p class="hint">A line belongs to the category if all of this holds.</p>
      <TextField state={state} name="description" label="Description contains" hint="Its case does not matter." maxLength={1000} />
      <TextField state={state} name="counterparty" label="Counterparty is" hint="As in the line above." maxLength={1000} />
      <TextField state={state} name="percent" label="Claimable %" placeholder="100" maxLength={10} />
      {errorsIn(state, 'sourceMapping').map(({ field, message }) => (
        <p class="error">
          <code>{field}</code> {message}
        </p>
      ))}
    </fieldset>
  );
}

function CategoryFields({ state, ruled: { categories, projects } }: Pick<FormProps, 'state' | 'ruled'>) {
  return (
    <fieldset>
      <legend>Category</legend>
      <SelectField
        state={state}
        name="category"
        label="For"
        choices={[['', 'A new category'], ...categories.map(({ id, code, name }): Choice => [id, `${code}: ${name}`])]}
      />
      <TextField state={state} name="code" label="Code of a new one" hint="Your own, such as TRAVEL-RAIL." maxLength={100} />
      <TextField state={state} name="name" label="Name of a new one" maxLength={200} />
      {projects.length === 0 ? null : (
        <SelectField state={state} name="projectId" label="Project of a new one" choices={[['', 'All'], ...projects]} />
      )}
    </fieldset>
  );
}

const PreviewedRule = ({ ctx, path, previewed }: Pick<FormProps, 'ctx' | 'path'> & { readonly previewed: Previewed }) => (
  <>
    <PreviewView ctx={ctx} preview={previewed.preview} />
    <input type="hidden" name={PREVIEWED_FIELD} value={previewed.wanted} />
    <p>
      <button formaction={`${path}/${previewed.isNew ? 'create' : 'update'}`}>
        {previewed.isNew ? 'Create the category with this rule' : 'Add this rule'}
      </button>
    </p>
  </>
);
