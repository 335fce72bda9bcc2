import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Actor, changeContext, type Tenant } from '../../../kernel/context.js';
import { JobFailure } from '../../../kernel/failure.js';
import { newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { entriesOf, type ZipEntry } from '../../../kernel/zip-archive.js';
import { UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import { ProjectsService } from '../../projects/index.js';
import { type ReadStatement, StatementContent } from '../content/statement-content.js';
import { isZip } from '../formats/detect-format.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE, MAX_UNPACKED_BYTES } from '../formats/limits.js';
import type { ImportOptions } from '../formats/statement-reader.js';
import { type SaidLayout, StatementLayoutsService } from '../layouts/statement-layouts.service.js';
import type { BankStatement, StoredReadingOptions } from '../statement.entity.js';
import { BankStatementRedactionFailed } from '../statements.events.js';
import { ImportRecord } from './import-record.js';

const MAX_MEMBERS = 100;
/** Workbooks are archives, too, of up to this many parts. */
const LIMITS = { files: 2000, unpackedBytes: MAX_UNPACKED_BYTES };
/** Parts that make an archive a document, for the readers to read or refuse. */
const DOCUMENT_PARTS = new Set(['[Content_Types].xml', 'mimetype']);
/** What computers put into archives beside the files that people chose. */
const BY_THE_COMPUTER = /^__MACOSX\/|(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/;

interface ArchiveMember {
  readonly path: string;
  readonly file: Buffer;
}

/** The files of an archive of statements; null for another file or one that is too large. Fails if one of them cannot be imported. */
export function membersIn(file: Buffer): readonly ArchiveMember[] | null {
  if (file.length > MAX_FILE_BYTES || !isZip(file)) return null;
  const entries = entriesOf(file, LIMITS);
  if (entries.some(({ path }) => DOCUMENT_PARTS.has(path))) return null;
  const members = entries.filter(({ path }) => !BY_THE_COMPUTER.test(path));
  if (members.length === 0) throw new JobFailure('empty_file', 'The archive has no files.');
  if (members.length > MAX_MEMBERS) throw new JobFailure('archive_too_large', `The archive has more than ${MAX_MEMBERS} files.`);
  return members.map((entry, index) => ({ path: entry.path, file: contentOf(entry, `File ${index + 1} of the archive`) }));
}

function contentOf({ size, isEncrypted, content }: ZipEntry, place: string): Buffer {
  if (isEncrypted) throw new JobFailure('format_not_supported', `${place} is encrypted. Unpack the archive and import its files.`);
  if (size > MAX_FILE_BYTES) throw new JobFailure('file_too_large', `${place} is larger than ${MAX_FILE_SIZE}.`);
  const file = content();
  if (isArchive(file)) throw new JobFailure('format_not_supported', `${place} is an archive itself. Unpack it and import its files.`);
  return file;
}

function isArchive(file: Buffer): boolean {
  return isZip(file) && !entriesOf(file, LIMITS).some(({ path }) => DOCUMENT_PARTS.has(path));
}

export interface NewStatement extends Tenant {
  readonly projectId: string | null;
  readonly fileName: string;
  readonly file: Buffer;
  /** Set by the importer. Then nothing is masked, and a file that still contains personal data is rejected. */
  readonly isRedacted: boolean;
  readonly readingOptions?: Omit<ImportOptions, 'layout'>;
  /** How to read its tables. One that is given as a text is kept for the next time. */
  readonly layout?: SaidLayout;
  /** The number of the account, if the file does not name it. It is not stored. */
  readonly account?: string;
  /** Called first in the transaction of the import, with how many statements it makes. It refuses the import by a problem. */
  readonly within?: (ctx: WriteContext, statements: number) => Promise<void>;
}

function refuseLargeFile({ file }: NewStatement): void {
  if (file.length > MAX_FILE_BYTES) throw new Problem('validation_failed', { detail: `The file is larger than ${MAX_FILE_SIZE}.` });
}

/** The record of a file that was not read yet. Its name is already redacted. */
function pendingStatement(
  { organizationId, environment, projectId, file }: NewStatement,
  readingOptions: StoredReadingOptions,
  fileName: string,
  now: string,
): BankStatement {
  const unknown = {
    format: null,
    accountLabel: null,
    currency: null,
    periodStart: null,
    periodEnd: null,
    lineCount: null,
    redaction: null,
    failure: null,
    contentRemovedAt: null,
    warnings: [],
    balances: [],
  };
  const known = { projectId, readingOptions, fileName, sizeBytes: file.length, sha256: createHash('sha256').update(file).digest('hex') };
  return {
    id: newId(),
    organizationId,
    environment,
    createdAt: now,
    updatedAt: now,
    ...unknown,
    ...known,
    redactionStatus: 'pending',
    lostWorkers: 0,
  };
}

/** The last part of a path, without characters that Postgres or JSON cannot store. */
const nameOfPath = (path: string): string =>
  path
    .replace(/^.*[/\\]/s, '')
    .toWellFormed()
    .replaceAll('\u0000', '');

/** Imports bank statements, for operators. */
@Injectable()
export class ImportService {
  constructor(
    private readonly record: ImportRecord,
    private readonly content: StatementContent,
    private readonly layouts: StatementLayoutsService,
    private readonly projects: ProjectsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async import(actor: Actor, wanted: NewStatement): Promise<BankStatement> {
    refuseLargeFile(wanted);
    if (wanted.projectId !== null) await this.projects.get(wanted, wanted.projectId);
    const options = await this.optionsOf(wanted);
    const statement = pendingStatement(wanted, options, await this.redactedName(wanted), this.clock.timestamp());
    const file = { id: statement.id, file: wanted.file };
    try {
      const read = wanted.isRedacted ? await this.readRedacted(statement, wanted.file) : undefined;
      return await this.record.placing(statement, read ? [] : [file], ([original]) =>
        this.write(actor, statement, async (ctx) => {
          await wanted.within?.(ctx, 1);
          await this.keepLayout(ctx, wanted, options);
          return read ? this.importRedacted(ctx, statement, read) : this.record.queued(ctx, statement, original!);
        }),
      );
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      const { code, message } = error;
      return this.record.placing(statement, [file], ([original]) =>
        this.write(actor, statement, async (ctx) => {
          await wanted.within?.(ctx, 1);
          return this.record.refused(ctx, statement, original!, { code, message });
        }),
      );
    }
  }

  /** An archive is imported as a statement for each of its files, all of them or none. */
  async importAll(actor: Actor, wanted: NewStatement): Promise<readonly BankStatement[]> {
    const members = membersOf(wanted);
    if (members === null) return [await this.import(actor, wanted)];
    if (wanted.projectId !== null) await this.projects.get(wanted, wanted.projectId);
    const options = await this.optionsOf(wanted);
    const files = await Promise.all(
      members.map(async ({ path, file }) => {
        const name = await this.memberName(wanted, path);
        return { file, statement: pendingStatement({ ...wanted, file }, options, name, this.clock.timestamp()) };
      }),
    );
    const reads: ReadStatement[] = [];
    for (const [index, { statement, file }] of wanted.isRedacted ? files.entries() : []) {
      const read = this.readRedacted(statement, file).catch((error: unknown) => refuse(error, `File ${index + 1} of the archive: `));
      reads.push(await read);
    }
    const toKeep = wanted.isRedacted ? [] : files.map(({ statement: { id }, file }) => ({ id, file }));
    return this.record.placing(wanted, toKeep, (originals) =>
      this.write(actor, wanted, async (ctx) => {
        await wanted.within?.(ctx, files.length);
        await this.keepLayout(ctx, wanted, options);
        const imported: BankStatement[] = [];
        for (const [index, { statement }] of files.entries()) {
          const read = reads[index];
          const one = read ? this.importRedacted(ctx, statement, read) : this.record.queued(ctx, statement, originals[index]!);
          imported.push(await one);
        }
        return imported;
      }),
    );
  }

  /** Queues a failed statement for redaction again, from the stored original. */
  retry(actor: Actor, statement: BankStatement): Promise<BankStatement> {
    return this.write(actor, statement, (ctx) => this.record.retried(ctx, statement.id));
  }

  /** Files are often named after people and accounts, and the name is in answers, events and the audit log. */
  private async redactedName({ organizationId, environment, fileName }: NewStatement): Promise<string> {
    const { redactFileName } = await import('../redaction/redact-file-name.js');
    return redactFileName(nameOfPath(fileName), await this.content.keyOf({ organizationId, environment }));
  }

  /** With the layout itself, so that a retry reads the same even if another one is kept by then. */
  private async optionsOf({ account, layout, readingOptions, ...tenant }: NewStatement): Promise<StoredReadingOptions> {
    const said = { ...readingOptions, ...(layout && { layout: await this.layouts.meant(tenant, layout) }) };
    if (account === undefined) return said;
    const { ownAccountOf } = await import('../redaction/tokens/account-key.js');
    const own = ownAccountOf(account, await this.content.keyOf(tenant));
    return { ...said, ...(own && { account: own }) };
  }

  private async keepLayout(ctx: WriteContext, { layout: said }: NewStatement, { layout }: StoredReadingOptions): Promise<void> {
    if (said && 'text' in said && layout) await this.layouts.keepIn(ctx, layout);
  }

  /** No worker is involved. The lines stay as they are, except for the own account. */
  private readRedacted({ fileName, sizeBytes, readingOptions, ...tenant }: BankStatement, file: Buffer): Promise<ReadStatement> {
    const bytes = Readable.from(partsOf(file));
    return this.content.read(tenant, { fileName, sizeBytes, bytes, isRedacted: true, readingOptions: readingOptions ?? {} });
  }

  private async importRedacted(ctx: WriteContext, statement: BankStatement, read: ReadStatement): Promise<BankStatement> {
    await this.content.storeLines(ctx, statement.id, read);
    return this.record.skipped(ctx, { ...statement, ...read.facts });
  }

  /** Such as `2026.zip/january.csv`. */
  private async memberName(wanted: NewStatement, path: string): Promise<string> {
    const [archive, member] = [await this.redactedName(wanted), await this.redactedName({ ...wanted, fileName: path })];
    const { MAX_FILE_NAME_LENGTH } = await import('../redaction/redact-file-name.js');
    const room = Math.max(0, MAX_FILE_NAME_LENGTH - 1 - [...member].length);
    return [[...archive].slice(0, room).join(''), member].filter(Boolean).join('/');
  }

  private write<T>(actor: Actor, { organizationId, environment }: Tenant, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
    return this.unitOfWork.run({ ...changeContext(organizationId, actor), environment, emits: [BankStatementRedactionFailed] }, work);
  }
}

function membersOf({ file }: NewStatement): ReturnType<typeof membersIn> {
  try {
    return membersIn(file);
  } catch (error) {
    return refuse(error);
  }
}

/** Nothing is recorded of an archive of which a file cannot be imported. */
function refuse(error: unknown, place = ''): never {
  if (!(error instanceof JobFailure)) throw error;
  throw new Problem('validation_failed', { detail: `${place}${error.message}` });
}

const PART_BYTES = 64 * 1024;

function* partsOf(file: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < file.length; start += PART_BYTES) yield file.subarray(start, start + PART_BYTES);
}
