import { errorsIn, type FormState } from '../../../api/console/form.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { CustomInputs } from '../../../api/console/parts/custom-fields.js';
import { AreaField, CheckField, CheckGroup, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Problem } from '../../../kernel/problems.js';
import { addedFormat, OUTPUT_FORMATS, type OutputFormat } from '../../rules/index.js';
import { CONFIGURATION_FIELDS } from '../configurations.dto.js';
import { ACCOUNTING_PROVIDERS } from '../configuration.entity.js';
import { STATUS_CHOICES } from './configurations.views.js';
import { FIELD_NAMES } from './options-fields.js';

const FORMATS: Readonly<Record<OutputFormat, string>> = {
  json: 'JSON',
  csv: 'CSV',
  xlsx: 'Excel',
  pdf: 'PDF',
  journal: 'Bookings as CSV',
  datev: 'DATEV (needs datev below)',
  evidence: 'Evidence pack: report, statements and hashes as ZIP',
};
const formatChoices = (): readonly Choice[] => OUTPUT_FORMATS.map((format) => [format, addedFormat(format)?.about ?? FORMATS[format]]);
const PROVIDERS: readonly Choice[] = ACCOUNTING_PROVIDERS.map((name) => [name, name]);

interface FormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly projects: readonly Choice[];
  readonly submit: string;
  readonly cancel: string;
}

export function ConfigurationForm({ ctx, state, projects, submit, cancel }: FormProps) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <SelectField state={state} name="projectId" label="Project" choices={[['', 'Whole organization'], ...projects]} />
      <TextField state={state} name="periodStart" label="First day of the period" type="date" required />
      <TextField state={state} name="periodEnd" label="Last day of the period" type="date" required />
      <SelectField state={state} name="status" label="Status" choices={STATUS_CHOICES} />
      <SelectField state={state} name="accountingProvider" label="Source of the data" choices={PROVIDERS} />
      <CustomInputs fields={CONFIGURATION_FIELDS} state={state} />
      <Output state={state} />
      <Filter state={state} />
    </ConsoleForm>
  );
}

function Output({ state }: Pick<FormProps, 'state'>) {
  return (
    <>
      <h2>Report and files</h2>
      <CheckGroup state={state} name={FIELD_NAMES.formats} label="Files" choices={formatChoices()} />
      <CheckGroup
        state={state}
        name={FIELD_NAMES.groupBy}
        label="Tables by"
        choices={[
          ['category', 'Category'],
          ['month', 'Month'],
        ]}
      />
      <TextField
        state={state}
        name={FIELD_NAMES.currency}
        label="Currency"
        hint="Such as EUR. Empty: the currency of most lines."
        maxLength={3}
      />
      <SelectField
        state={state}
        name={FIELD_NAMES.detail}
        label="Detail"
        choices={[
          ['none', 'Sums only'],
          ['lines', 'Each line'],
        ]}
      />
      <CheckField state={state} name={FIELD_NAMES.includeUncategorised} label="Show what has no category" />
      <AreaField
        state={withoutFields(state, 'outputOptions')}
        name="outputOptions"
        label="Other options as JSON"
        hint={'Such as {"locale": "de", "rates": "ecb"}, datev or paperSize.'}
        rows={4}
      />
    </>
  );
}

function Filter({ state }: Pick<FormProps, 'state'>) {
  return (
    <>
      <h2>Categories</h2>
      <AreaField
        state={state}
        name={FIELD_NAMES.include}
        label="Only these codes"
        hint="One on each line; * stands for any text. Empty: all."
        rows={3}
      />
      <AreaField state={state} name={FIELD_NAMES.exclude} label="Without these codes" hint="One on each line." rows={3} />
      <AreaField
        state={withoutFields(state, 'categoryFilter')}
        name="categoryFilter"
        label="Other filters as JSON"
        hint={'Such as {"status": ["active", "archived"]}.'}
        rows={3}
      />
    </>
  );
}

/** The errors of a document that no field of its own shows. */
function withoutFields({ values, problem }: FormState, document: string): FormState {
  if (!problem) return { values };
  const shown = Object.values(FIELD_NAMES).flatMap((name) => errorsIn({ values, problem }, name));
  const errors = problem.errors.filter((error) => error.field.startsWith(document) && !shown.includes(error));
  return { values, problem: new Problem(problem.code, { detail: problem.detail, errors }) };
}
