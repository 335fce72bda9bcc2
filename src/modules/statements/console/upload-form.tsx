import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { CheckField, ConsoleForm, FileField, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { UPLOAD_HINT } from './statement-upload.js';

export const FILES_HINT =
  'CSV, Excel, PDF, OFX, QIF, MT940, CAMT, CODA, BAI2, Norma 43 or XML as your bank exports them, or a ZIP archive of several.';
/** Formats by the ending of the name, for the browser's list of files. */
export const ACCEPTED = '.csv,.txt,.xlsx,.pdf,.ofx,.qfx,.qif,.sta,.mt940,.940,.xml,.camt,.cod,.coda,.bai,.bai2,.n43,.q43,.zip';

interface UploadFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly projects: readonly Choice[];
  /** Takes files that are dropped, and shows how much has been sent. */
  readonly script: string;
  readonly layouts: { readonly kept: readonly string[]; readonly shipped: readonly string[] };
}

export function UploadForm({ ctx, state, projects, script, layouts: { kept, shipped } }: UploadFormProps) {
  const layouts: readonly Choice[] = [
    ...kept.map((name) => [name, `${name} (kept by your organization)`] as const),
    ...shipped.map((name) => [name, name] as const),
  ];
  return (
    <ConsoleForm ctx={ctx} state={state} submit="Upload" cancel={pathOf(ctx, 'statements')} hasFiles script={script}>
      <FileField state={state} name="file" label="Files" hint={`${FILES_HINT} ${UPLOAD_HINT}`} accept={ACCEPTED} required />
      <SelectField
        state={state}
        name="projectId"
        label="Project"
        hint="A report on a project uses its own statements only."
        choices={[['', 'None'], ...projects]}
      />
      <fieldset>
        <legend>If the files do not say it</legend>
        <TextField
          state={state}
          name="account"
          label="Account"
          hint="Number of the account, such as its IBAN. It is not stored."
          maxLength={64}
        />
        <TextField state={state} name="periodStart" label="First day" type="date" />
        <TextField state={state} name="periodEnd" label="Last day" type="date" hint="Quiet days at the edge of a month are then no gap." />
        <TextField state={state} name="currency" label="Currency" hint="Of lines that name none, such as EUR." maxLength={3} />
        <SelectField
          state={state}
          name="layout"
          label="Layout"
          hint="How to read tables of this bank: for all of the files. Most are recognized by their header."
          choices={[['', 'By the header of each file'], ...layouts]}
        />
        <CheckField state={state} name="isInverted" label="Amounts without a sign are money out" hint="As in exports of some cards." />
      </fieldset>
      <CheckField
        state={state}
        name="isRedacted"
        label="The files are redacted already"
        hint="Their lines are kept unchanged. A file with personal data is refused."
      />
    </ConsoleForm>
  );
}
