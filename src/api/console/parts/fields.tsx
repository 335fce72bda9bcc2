import type { ComponentChildren, JSX } from 'preact';
import type { Problem } from '../../../kernel/problems.js';
import { sentenceOf, wordsOf, Detail } from '../error-words.js';
import { errorsIn, type FormState, ONCE_FIELD, onceToken, valueIn, type KnownOfPage } from '../page.js';
import { say } from '../say.js';

/** The hidden fields of every form: that it is ours, and that it counts once. */
export const FormFields = ({ ctx }: { ctx: Pick<KnownOfPage, 'csrf'> }): JSX.Element => (
  <>
    <input type="hidden" name="csrf" value={ctx.csrf} />
    <input type="hidden" name={ONCE_FIELD} value={onceToken()} />
  </>
);

interface FormProps {
  readonly ctx: Pick<KnownOfPage, 'csrf' | 'path'>;
  readonly state?: FormState;
  /** Where it is sent to; the page itself by default. */
  readonly action?: string;
  readonly submit: string;
  /** Where to go instead of sending it. */
  readonly cancel?: string;
  /** For an action with `takesFiles`. */
  readonly hasFiles?: boolean;
  /** The address of a script that takes the form over. */
  readonly script?: string;
  readonly children?: ComponentChildren;
}

export function ConsoleForm({ ctx, state, action = ctx.path, submit, cancel, hasFiles, script, children }: FormProps): JSX.Element {
  return (
    <form
      method="post"
      action={action}
      class="fields"
      encType={hasFiles ? 'multipart/form-data' : undefined}
      data-script={script}
      data-sent={script && say('console.form.sent')}
    >
      <FormFields ctx={ctx} />
      {state?.problem ? <Refused problem={state.problem} /> : null}
      {children}
      <p class="buttons">
        <button>{submit}</button>
        {cancel === undefined ? null : (
          <a class="button plain" href={cancel}>
            {say('console.form.cancel')}
          </a>
        )}
      </p>
    </form>
  );
}

/** The input that has a field: fields of extensions have one each, what is inside of other objects is in one for all of it. */
const inputOf = (field: string): string => (/^customFields\.\w+$/.exec(field) ?? /^[^.[]*/.exec(field)!)[0];

export function Refused({ problem: { errors, detail } }: { problem: Problem }): JSX.Element {
  const fields = [...new Map(errors.map((error) => [inputOf(error.field), error]))];
  return (
    <div class="error" role="alert">
      {fields.length === 0 ? (
        <Detail text={detail} />
      ) : (
        <>
          {/* A text that only repeats the errors names fields as programs do. */}
          {detail.startsWith(errors[0]!.field) ? <p>{say('console.form.toCorrect')}</p> : <Detail text={detail} />}
          <ul>
            {fields.map(([name, error]) => (
              <li>
                <a href={`#${name}`}>{sentenceOf(error, wordsOf(name))}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface FieldProps {
  readonly state: FormState;
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly type?: 'text' | 'date' | 'email' | 'url' | 'number' | 'password' | 'search';
  readonly placeholder?: string;
  readonly autocomplete?: string;
  /** What browsers offer while somebody types. */
  readonly suggestions?: readonly string[];
}

/** How an input says that it is needed, what is wrong with it, and where its hint is. */
function stateOf({ state, name, hint, required }: Pick<FieldProps, 'state' | 'name' | 'hint' | 'required'>) {
  const isWrong = errorsIn(state, name).length > 0;
  const ids = [hint === undefined ? '' : `${name}-hint`, isWrong ? `${name}-error` : ''].filter(Boolean).join(' ');
  return { required, 'aria-invalid': isWrong ? 'true' : undefined, 'aria-describedby': ids || undefined } as const;
}

export const Errors = ({ state, name, label }: { state: FormState; name: string; label: string }) =>
  errorsIn(state, name).map((error) => (
    <p class="error" id={`${name}-error`}>
      {sentenceOf(error, error.field === name ? label : wordsOf(error.field))}
    </p>
  ));

type LabelledProps = Pick<FieldProps, 'state' | 'name' | 'label' | 'hint'> & { readonly children: ComponentChildren };
const Labelled = ({ state, name, label, hint, children }: LabelledProps): JSX.Element => (
  <div class="field">
    <label for={name}>{label}</label>
    {hint === undefined ? null : (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {children}
    <Errors state={state} name={name} label={label} />
  </div>
);

export function TextField({
  state,
  name,
  label,
  hint,
  type = 'text',
  required,
  maxLength,
  placeholder,
  autocomplete,
  suggestions,
}: FieldProps): JSX.Element {
  const shared = { state, name, label, hint, required };
  // Preact has a type for each kind of field, and this is any of them.
  const kind = type as 'text';
  return (
    <Labelled {...shared}>
      <input
        id={name}
        name={name}
        type={kind}
        value={type === 'password' ? undefined : valueIn(state, name)}
        maxLength={maxLength}
        placeholder={placeholder}
        autoComplete={autocomplete ?? 'off'}
        list={suggestions && `${name}-list`}
        {...stateOf(shared)}
      />
      {suggestions ? (
        <datalist id={`${name}-list`}>
          {suggestions.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      ) : null}
    </Labelled>
  );
}

export function AreaField({ state, name, label, hint, required, rows = 6 }: FieldProps & { readonly rows?: number }): JSX.Element {
  const shared = { state, name, label, hint, required };
  return (
    <Labelled {...shared}>
      <textarea id={name} name={name} rows={rows} spellcheck={false} {...stateOf(shared)}>
        {valueIn(state, name)}
      </textarea>
    </Labelled>
  );
}

/** Files of the visitor's computer. They are chosen again when the form is shown again: browsers do not fill this in. */
export function FileField({ state, name, label, hint, required, accept }: FieldProps & { readonly accept?: string }): JSX.Element {
  const shared = { state, name, label, hint, required };
  return (
    <Labelled {...shared}>
      <input id={name} name={name} type="file" multiple accept={accept} {...stateOf(shared)} />
    </Labelled>
  );
}

/** What can be chosen: a value, and what people read. */
export type Choice = readonly [value: string, label: string];

export function SelectField({ state, name, label, hint, choices }: FieldProps & { readonly choices: readonly Choice[] }): JSX.Element {
  const shared = { state, name, label, hint };
  const chosen = valueIn(state, name);
  return (
    <Labelled {...shared}>
      <select id={name} name={name} aria-describedby={stateOf(shared)['aria-describedby']}>
        {choices.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function CheckField({ state, name, label, hint, value = 'yes' }: FieldProps & { readonly value?: string }): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={state.values(name).includes(value)} />
      <span>
        {label} {hint === undefined ? null : <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}

/** Several of many. */
export function CheckGroup({ state, name, label, choices }: FieldProps & { readonly choices: readonly Choice[] }): JSX.Element {
  return (
    <fieldset>
      <legend>{label}</legend>
      {choices.map(([value, text]) => (
        <CheckField state={state} name={name} value={value} label={text} />
      ))}
      <Errors state={state} name={name} label={label} />
    </fieldset>
  );
}

interface CheckGroupsProps extends Pick<FieldProps, 'state' | 'name'> {
  /** A box that stands for all of them. */
  readonly all: { readonly name: string; readonly label: string; readonly hint: string };
  readonly groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[];
}

/** Several of many that belong to groups. What is wrong with them is said once, above. */
export const CheckGroups = ({ state, name, all, groups }: CheckGroupsProps) => (
  <>
    <Errors state={state} name={name} label={all.label} />
    <CheckField state={state} {...all} />
    {groups.map(({ title, choices }) => (
      <CheckGroup state={{ values: state.values }} name={name} label={title} choices={choices} />
    ))}
  </>
);
