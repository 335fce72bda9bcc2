import { Injectable } from '@nestjs/common';
import { ConsoleDoor, forPart } from '../../../api/console/console-door.js';
import type { PageContext } from '../../../api/console/page.js';
import type { FileBounds, SentFile } from '../../../api/validation/read-files.js';
import { say } from '../../../api/console/say.js';
import type { Actor } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { isCalendarDate, requireOrderedPeriod } from '../../../kernel/time.js';
import { Problem } from '../../../kernel/problems.js';
import { ProjectsService } from '../../projects/index.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from '../formats/limits.js';
import type { Period } from '../formats/statement-line.js';
import { isSameImport } from '../import/import-record.js';
import { fileTooLarge, type NewStatement } from '../import/import.service.js';
import { StatementLayoutsService } from '../layouts/statement-layouts.service.js';
import { StatementOperatorService } from '../statement-operator.service.js';
import type { BankStatement } from '../statement.entity.js';
import type { BankStatementCheckDto } from '../statements.dto.js';
import { StatementsService } from '../statements.service.js';

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
    const outcomes = await this.import(ctx.actor, wanted, files);
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
  async import(actor: Actor, wanted: Wanted, files: readonly SentFile[]): Promise<FileOutcome[]> {
    const outcomes: FileOutcome[] = [];
    for (const file of files) {
      try {
        const known = await this.earlier(wanted, file);
        outcomes.push({ name: file.name, ...(known ? { known } : { imported: await this.importOne(actor, wanted, file) }) });
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

  private async importOne(actor: Actor, wanted: Wanted, file: SentFile): Promise<readonly BankStatement[]> {
    if (file.isTooLarge) throw fileTooLarge();
    return this.operator.importAll(actor, { ...wanted, fileName: file.name, file: file.content });
  }

  /** A form that is sent twice, and a file that is chosen again, make one statement. One that has failed may be tried anew. */
  private async earlier({ projectId, ...tenant }: Wanted, { sha256 }: SentFile): Promise<BankStatement | undefined> {
    const found = await this.statements.ofFiles(tenant, [sha256]);
    return found.find((one) => isSameImport(one, projectId));
  }
}

type Wanted = Omit<NewStatement, 'fileName' | 'file'>;

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
