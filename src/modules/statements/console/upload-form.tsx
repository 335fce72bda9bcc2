import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { CheckField, ConsoleForm, FileField, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, say } from '../../../api/console/say.js';
import { isWordingKey } from '../../../api/wording/catalogues.js';
import { MAX_FILE_SIZE, MAX_UNPACKED_SIZE } from '../formats/limits.js';
import { FileRefusal, MAX_MEMBERS } from '../import/archive.js';
import type { BankStatementCheckDto } from '../statements.dto.js';
import { type CheckedUpload, type RefusedFile, type Uploaded, uploadHint } from './statement-upload.js';
import { failureIn, periodOf, Sure, warningIn } from './statements.console.js';

/** Formats by the ending of the name, for the browser's list of files. */
export const ACCEPTED = '.csv,.txt,.xlsx,.pdf,.ofx,.qfx,.qif,.sta,.mt940,.940,.xml,.camt,.cod,.coda,.bai,.bai2,.n43,.q43,.zip';

function sentenceOf({ why, about: { number, failure } }: FileRefusal): string | undefined {
  const file = String(number ?? 'none');
  if (why === 'encrypted_file' || why === 'nested_archive') return say(`upload.refusals.${why}`, { file });
  if (why === 'unreadable_file') return say('upload.refusals.unreadable_file', { file, reason: failureIn(failure!) });
  if (why === 'file_too_large') return say('upload.refusals.file_too_large', { file, size: MAX_FILE_SIZE });
  if (why === 'archive_too_large') return say('upload.refusals.archive_too_large', { size: MAX_UNPACKED_SIZE });
  if (why === 'too_many_files') return say('upload.refusals.too_many_files', { count: MAX_MEMBERS });
  if (why === 'link_full') return say('upload.refusals.link_full', { count: number! });
  const key = `upload.refusals.${why}`;
  return isWordingKey(key) ? say(key) : undefined;
}

/** Why a file was not taken; in English if we have no text for that. */
export function Reason({ of: { refused } }: { of: RefusedFile }) {
  const sentence = refused instanceof FileRefusal ? sentenceOf(refused) : undefined;
  return sentence === undefined ? <span lang="en">{refused.detail}</span> : <>{sentence}</>;
}

/** Which files were not refused. They are read later: only their status says what becomes of them. */
export function saidOf({ imported, known }: Uploaded): string {
  const names = known.map(({ fileName }) => fileName).join(', ');
  const received = imported.length === 0 ? '' : say('console.statements.received', { count: imported.length });
  return known.length === 0 ? received : `${received} ${say('console.statements.known', { names })}`.trim();
}

const NotTaken = ({ uploaded }: { uploaded: Uploaded }) => (
  <div class="error" role="alert">
    <p>{`${say('console.statements.notTaken', { count: uploaded.refused.length })} ${saidOf(uploaded)}`.trim()}</p>
    <ul>
      {uploaded.refused.map((file) => (
        <li>
          {file.name}: <Reason of={file} />
        </li>
      ))}
    </ul>
  </div>
);

const countOf = ({ lineCount }: BankStatementCheckDto): string => (lineCount === null ? '' : count(lineCount));

const Checked = ({ files }: { files: readonly CheckedUpload[] }) => (
  <>
    <p class="notice" role="status">
      {say('console.statements.form.notKept')}
    </p>
    <Table
      caption={say('console.statements.form.check')}
      rows={files}
      empty={null}
      columns={[
        [say('report.columns.file'), ({ name }) => name],
        [say('report.columns.period'), (file) => ('checked' in file ? periodOf(file.checked) : '')],
        [say('console.statements.lines'), (file) => ('checked' in file ? countOf(file.checked) : ''), 'number'],
        [say('report.columns.certainty'), (file) => ('checked' in file ? <Sure of={file.checked.certainty} /> : '')],
        [say('console.statements.form.said'), (file) => <Said of={file} />],
      ]}
    />
  </>
);

function Said({ of: file }: { of: CheckedUpload }) {
  if ('refused' in file) return <Reason of={file} />;
  const { failure, warnings } = file.checked;
  return <>{failure ? failureIn(failure) : warnings.map((warning) => <p>{warningIn(warning)}</p>)}</>;
}

interface UploadFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  /** If it was sent, and some of its files were not taken. */
  readonly uploaded: Uploaded | undefined;
  /** If its files were only to be checked. */
  readonly checked: readonly CheckedUpload[] | undefined;
  readonly projects: readonly Choice[];
  /** Takes files that are dropped, and shows how much has been sent. */
  readonly script: string;
  readonly layouts: { readonly kept: readonly string[]; readonly shipped: readonly string[] };
}

type Field = 'account' | 'periodStart' | 'periodEnd' | 'currency' | 'layout' | 'isInverted' | 'isRedacted';

export function UploadForm({ ctx, state, uploaded, checked, projects, script, layouts: { kept, shipped } }: UploadFormProps) {
  const layouts: readonly Choice[] = [
    ['', say('console.statements.form.byHeader')],
    ...kept.map((name) => [name, say('console.statements.form.kept', { name })] as const),
    ...shipped.map((name) => [name, name] as const),
  ];
  const instead = [pathOf(ctx, 'statements', 'new', 'check'), say('console.statements.form.check')] as const;
  const form = { ctx, state, script, submit: say('console.statements.form.submit'), instead, cancel: pathOf(ctx, 'statements') };
  const project = { state, name: 'projectId', label: say('report.fields.project'), hint: say('console.statements.form.projectHint') };
  const of = (name: Field) => ({ state, name, label: say(`console.statements.form.${name}`) });
  return (
    <>
      {checked ? <Checked files={checked} /> : null}
      <ConsoleForm {...form} action={pathOf(ctx, 'statements', 'new')} hasFiles>
        {uploaded ? <NotTaken uploaded={uploaded} /> : null}
        <FileField state={state} name="file" label={say('upload.files')} hint={uploadHint()} accept={ACCEPTED} required />
        <SelectField {...project} choices={[['', say('console.statements.noProject')], ...projects]} />
        <fieldset>
          <legend>{say('console.statements.form.unsaid')}</legend>
          <TextField {...of('account')} hint={say('console.statements.form.accountHint')} maxLength={64} />
          <TextField {...of('periodStart')} type="date" />
          <TextField {...of('periodEnd')} type="date" />
          <p class="hint">{say('console.statements.form.periodHint')}</p>
          <TextField {...of('currency')} hint={say('console.statements.form.currencyHint')} maxLength={3} />
          <SelectField {...of('layout')} hint={say('console.statements.form.layoutHint')} choices={layouts} />
          <CheckField {...of('isInverted')} hint={say('console.statements.form.invertedHint')} />
        </fieldset>
        <CheckField {...of('isRedacted')} hint={say('console.statements.form.redactedHint')} />
      </ConsoleForm>
    </>
  );
}
