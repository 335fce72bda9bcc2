import { Injectable } from '@nestjs/common';
import type { PolicyContext } from '../../../api/access/principal.js';
import { ConsoleDoor, forPart, orAgain } from '../../../api/console/console-door.js';
import { type PageContext, formOf, type FormState, PageCtx, pathOf, goTo, page, type Answer } from '../../../api/console/page.js';
import type { FileBounds, SentFile } from '../../../api/validation/read-files.js';
import { say, count } from '../../../api/console/say.js';
import { isUuid } from '../../../kernel/ids.js';
import { isCalendarDate, requireOrderedPeriod } from '../../../kernel/time.js';
import { Problem } from '../../../kernel/problems.js';
import { ProjectsService } from '../../projects/index.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE, MAX_UNPACKED_SIZE, type Period } from '../../../../tools/bank-files/index.js';
import { isSameImport, fileTooLarge, type NewStatement } from '../import/import.service.js';
import { StatementLayoutsService } from '../layouts/statement-layouts.service.js';
import { StatementOperatorService } from '../statement-operator.service.js';
import type { BankStatement } from '../statement.entity.js';
import { BANK_STATEMENT_FIELDS, type BankStatementCheckDto, BankStatementDto, BankStatementFileDto } from '../statements.dto.js';
import { StatementsService } from '../statements.service.js';
import { Note } from '../../../api/console/parts/facts.js';
import { Assets } from '../../../api/console/assets.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { CheckField, ConsoleForm, FileField, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { recordBody, RecordInputs } from '../../../api/console/parts/record.js';
import { isWordingKey } from '../../../api/wording/catalogues.js';
import { FileRefusal, MAX_MEMBERS } from '../import/archive.js';
import { failureIn, periodOf, Sure, warningIn } from './statements.console.js';

export interface Uploaded {
  readonly imported: readonly BankStatement[];
  /** Statements of the same files, which were therefore not imported again. */
  readonly known: readonly BankStatement[];
  readonly refused: readonly RefusedFile[];
}

export interface RefusedFile {
  readonly name: string;
  readonly refused: Problem;
}

export type CheckedUpload = { readonly name: string; readonly checked: BankStatementCheckDto } | RefusedFile;

export type FileOutcome =
  | { readonly name: string; readonly imported: readonly BankStatement[] }
  | { readonly name: string; readonly known: BankStatement }
  | RefusedFile;

const SAID = ['projectId', 'account', 'currency', 'periodStart', 'periodEnd', 'layout'];

/** Imports the files of a form, each as if it had come alone. */
@Injectable()
export class StatementUpload {
  constructor(
    private readonly operator: StatementOperatorService,
    private readonly statements: StatementsService,
    private readonly projects: ProjectsService,
    private readonly layouts: StatementLayoutsService,
    private readonly door: ConsoleDoor,
  ) {}

  async upload(ctx: PageContext): Promise<Uploaded> {
    const [wanted, files] = [wantedBy(ctx), ctx.form.files('file')];
    if (files.length === 0) throw Problem.invalidField('file', 'required', 'must be chosen');
    if (wanted.projectId !== null) await this.requireProject(ctx, wanted.projectId);
    // Each file would say it, but it is one field.
    if (wanted.layout) await this.layouts.meant(wanted, wanted.layout);
    const outcomes = await this.import(ctx, wanted, files);
    return {
      imported: outcomes.flatMap((outcome) => ('imported' in outcome ? outcome.imported : [])),
      known: outcomes.flatMap((outcome) => ('known' in outcome ? outcome.known : [])),
      refused: outcomes.filter((outcome) => 'refused' in outcome),
    };
  }

  async check(ctx: PageContext): Promise<CheckedUpload[]> {
    const files = ctx.form.files('file');
    if (files.length === 0) throw Problem.invalidField('file', 'required', 'must be chosen');
    const said = SAID.map((name) => [name, ctx.form.given(name)?.trim()]).filter(([, text]) => text);
    const body = { ...(Object.fromEntries(said) as object), isInverted: String(ctx.form.isChecked('isInverted')) };
    const checked: CheckedUpload[] = [];
    for (const [index, file] of files.entries()) {
      const { name } = file;
      try {
        if (file.isTooLarge) throw fileTooLarge();
        checked.push({ name, checked: await this.door.call<BankStatementCheckDto>(forPart(ctx, String(index)), { body, file }) });
      } catch (error) {
        // What is said of the files is one field each, for all of them.
        if (!(error instanceof Problem) || error.status >= 500 || error.errors.some(({ field }) => field !== 'file')) throw error;
        checked.push({ name, refused: error });
      }
    }
    return checked;
  }

  /** A failure of ours, such as a lost database, ends all of it. */
  async import(sender: Sender, wanted: Wanted, files: readonly SentFile[]): Promise<FileOutcome[]> {
    const outcomes: FileOutcome[] = [];
    for (const file of files) {
      try {
        const known = await this.earlier(wanted, file);
        outcomes.push({ name: file.name, ...(known ? { known } : { imported: await this.importOne(sender, wanted, file) }) });
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        outcomes.push({ name: file.name, refused: error });
      }
    }
    return outcomes;
  }

  private async requireProject(ctx: PageContext, id: string): Promise<void> {
    if (!isUuid(id)) throw Problem.invalidField('projectId', 'invalid_uuid', 'must be the id of a claim project');
    await this.projects.get(ctx, id);
  }

  private async importOne(sender: Sender, wanted: Wanted, file: SentFile): Promise<readonly BankStatement[]> {
    if (file.isTooLarge) throw fileTooLarge();
    const { actor, requestId, ipAddress, user, organization } = sender;
    const { environment, projectId, account, customFields, readingOptions } = wanted;
    const input = Object.assign(new BankStatementFileDto(), {
      projectId,
      account,
      customFields,
      fileName: file.name,
      ...readingOptions,
      file,
    });
    const recorded: NewStatement['recorded'] = (inner, statements) => {
      const ctx = { ...inner, environment, requestId, ipAddress, user, organization };
      return this.door.askPolicies(ctx, 'bank_statements.create', { input, params: {} }, statements.map(BankStatementDto.from));
    };
    return this.operator.importAll(actor, { ...wanted, fileName: file.name, file: file.content, recorded });
  }

  /** A form that is sent twice, and a file that is chosen again, make one statement. One that has failed may be tried anew. */
  private async earlier({ projectId, ...tenant }: Wanted, { sha256 }: SentFile): Promise<BankStatement | undefined> {
    const found = await this.statements.ofFiles(tenant, [sha256]);
    return found.find((one) => isSameImport(one, projectId));
  }
}

type Wanted = Omit<NewStatement, 'fileName' | 'file'>;
/** Who sends files, as policies see them. */
type Sender = Pick<PolicyContext, 'actor' | 'requestId' | 'ipAddress' | 'user' | 'organization'>;

function wantedBy({ form, organizationId, environment }: PageContext): Wanted {
  const currency = form.given('currency')?.trim().toUpperCase();
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    throw Problem.invalidField('currency', 'invalid_currency', 'must be a code of three letters, such as EUR');
  return {
    organizationId,
    environment,
    projectId: form.given('projectId') ?? null,
    isRedacted: form.isChecked('isRedacted'),
    ...(form.given('account')?.trim() && { account: form.text('account').trim() }),
    ...(form.given('layout') && { layout: { name: form.text('layout') } }),
    ...BANK_STATEMENT_FIELDS.requireValid(recordBody(BANK_STATEMENT_FIELDS, form)),
    readingOptions: { ...(currency && { currency }), ...periodBy(form), isInverted: form.isChecked('isInverted') },
  };
}

function periodBy(form: PageContext['form']): { readonly period?: Period } {
  const [start, end] = [form.given('periodStart'), form.given('periodEnd')];
  if (start === undefined && end === undefined) return {};
  const missing = start === undefined ? 'periodStart' : 'periodEnd';
  if (start === undefined || end === undefined) throw Problem.invalidField(missing, 'required', 'must be given, too');
  for (const [field, day] of Object.entries({ periodStart: start, periodEnd: end }))
    if (!isCalendarDate(day)) throw Problem.invalidField(field, 'invalid_date', 'must be an existing day');
  requireOrderedPeriod({ periodStart: start, periodEnd: end });
  return { period: { start, end } };
}

const MAX_FORM_MIB = 50;
export const UPLOAD_BOUNDS: FileBounds = { files: 20, fileBytes: MAX_FILE_BYTES, formBytes: MAX_FORM_MIB * 1024 * 1024 };
export function uploadHint(): string {
  const formSize = `${MAX_FORM_MIB} MiB`;
  return `${say('upload.formats')} ${say('upload.bounds', { files: UPLOAD_BOUNDS.files, fileSize: MAX_FILE_SIZE, formSize })}`;
}

interface Outcome {
  readonly uploaded?: Uploaded;
  readonly checked?: readonly CheckedUpload[];
}

const SECTION = 'statements';

/** Where people upload statements. After the statements' own section, so that the navigation shows that one. */
@ConsoleSection({ path: `${SECTION}/new`, label: 'Upload statements', order: 3, shows: 'names' })
export class UploadConsole {
  constructor(
    private readonly projects: ProjectsService,
    private readonly layouts: StatementLayoutsService,
    private readonly uploads: StatementUpload,
    private readonly assets: Assets,
  ) {}

  @Page({ route: 'GET /', operation: 'bank_statements.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf({ projectId: ctx.query.get('projectId') ?? '' }));
  }

  @Action({ route: 'POST /', operation: 'bank_statements.create', takesFiles: UPLOAD_BOUNDS })
  upload(@PageCtx() ctx: PageContext): Promise<Answer> {
    const upload = async (): Promise<Answer> => {
      const uploaded = await this.uploads.upload(ctx);
      const { imported, known, refused } = uploaded;
      if (refused.length > 0) return this.form(ctx, { values: (name) => ctx.form.list(name) }, { uploaded });
      const [only, ...others] = [...imported, ...known];
      return goTo(others.length === 0 ? pathOf(ctx, SECTION, only!.id) : pathOf(ctx, SECTION), saidOf(uploaded));
    };
    return orAgain(ctx, upload, (state) => this.form(ctx, state));
  }

  @Action({ route: 'POST /check', operation: 'bank_statements.check', takesFiles: UPLOAD_BOUNDS })
  check(@PageCtx() ctx: PageContext): Promise<Answer> {
    const values: FormState = { values: (name) => ctx.form.list(name) };
    const check = async (): Promise<Answer> => this.form(ctx, values, { checked: await this.uploads.check(ctx) });
    return orAgain(ctx, check, (state) => this.form(ctx, state));
  }

  private async form(ctx: PageContext, state: FormState, { uploaded, checked }: Outcome = {}): Promise<Answer> {
    const [projects, layouts] = await Promise.all([this.projects.choices(ctx), this.layouts.choices(ctx)]);
    const props = { ctx, state, uploaded, checked, projects, layouts, script: this.assets.pathOf('upload.js') };
    return page(say('console.statements.upload'), <UploadForm {...props} />, uploaded ? 400 : state.problem?.status);
  }
}

/** Formats by the ending of the name, for the browser's list of files. */
export const ACCEPTED = '.csv,.txt,.xlsx,.pdf,.ofx,.qfx,.qif,.sta,.mt940,.940,.xml,.camt,.cod,.coda,.bai,.bai2,.n43,.q43,.zip';

function sentenceOf({ why, about: { number, failure } }: FileRefusal): string | undefined {
  const file = String(number ?? 'none');
  if (why === 'encrypted_file' || why === 'nested_archive' || why === 'misnamed_file') return say(`upload.refusals.${why}`, { file });
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
function saidOf({ imported, known }: Uploaded): string {
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
    <Note tone="notice">{say('console.statements.form.notKept')}</Note>
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

function UploadForm({ ctx, state, uploaded, checked, projects, script, layouts: { kept, shipped } }: UploadFormProps) {
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
        <RecordInputs fields={BANK_STATEMENT_FIELDS} state={state} />
      </ConsoleForm>
    </>
  );
}
