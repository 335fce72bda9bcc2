import { Injectable } from '@nestjs/common';
import { type ReadContext, type WriteContext, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import { type Failure, JobFailure } from '../../../kernel/failure.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import type { Original } from '../../../store/files/encrypted-files.js';
import { OriginalsRepository } from '../content/statement-content.repository.js';
import { REDACT } from '../redaction/redaction.processor.js';
import type { BankStatement, StoredReadingOptions } from '../statement.entity.js';
import { BANK_STATEMENT_FIELDS, BankStatementDto } from '../statements.dto.js';
import { BankStatementReceived, BankStatementRedactionFailed, BankStatementUpdated } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Actor, changeContext, type Tenant } from '../../../kernel/context.js';
import { aNewRow, type CustomValues } from '../../../store/database/columns.js';
import { Clock } from '../../../kernel/time.js';
import { ProjectsService } from '../../projects/index.js';
import { type ReadStatement, StatementContent, type StatementSource } from '../content/statement-content.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from '../../../../tools/bank-files/index.js';
import type { ImportOptions } from '../formats/statement-reader.js';
import { type SaidLayout, StatementLayoutsService } from '../layouts/statement-layouts.service.js';
import { type ArchiveMember, FileRefusal, membersIn, withRightName } from './archive.js';

/** Records imports in the caller's transaction: the row, the original, events and audit entries. */
@Injectable()
export class ImportRecord {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly originals: OriginalsRepository,
    private readonly events: Events,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Runs the transaction of an import, with its originals. Where these go to a foreign store, they are put there before. */
  placing<T>(
    tenant: ReadContext,
    files: readonly { readonly id: string; readonly file: Buffer }[],
    work: (originals: readonly Original[]) => Promise<T>,
  ): Promise<T> {
    return this.originals.placing(tenant, files, work);
  }

  /** The statement that the same bytes have made in the same project. No other import of them is recorded meanwhile. */
  async earlier(ctx: WriteContext, { sha256, projectId }: BankStatement): Promise<BankStatement | undefined> {
    await this.statements.queueUp(ctx, sha256);
    return (await this.statements.withHashes(ctx, [sha256])).find((one) => isSameImport(one, projectId));
  }

  async queued(ctx: WriteContext, statement: BankStatement, original: Original): Promise<BankStatement> {
    await this.originals.store(ctx, statement.id, original);
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(REDACT));
    return this.insert(ctx, statement);
  }

  skipped(ctx: WriteContext, statement: BankStatement): Promise<BankStatement> {
    return this.insert(ctx, { ...statement, redactionStatus: 'skipped' });
  }

  /** A file that was imported as redacted, but cannot be read or still contains personal data. */
  async refused(ctx: WriteContext, statement: BankStatement, original: Original, failure: Failure): Promise<BankStatement> {
    await this.originals.store(ctx, statement.id, original);
    const failed = await this.insert(ctx, { ...statement, redactionStatus: 'failed', failure });
    this.events.append(ctx, BankStatementRedactionFailed, {
      before: BankStatementDto.from(statement),
      after: BankStatementDto.from(failed),
    });
    return failed;
  }

  private async insert(ctx: WriteContext, statement: BankStatement): Promise<BankStatement> {
    await this.statements.add(ctx, statement);
    this.events.append(ctx, BankStatementReceived, { before: null, after: BankStatementDto.from(statement) }, 'bank_statement.imported');
    return statement;
  }
}

/** Whether a statement of the same bytes is what another import of them would make. */
export const isSameImport = (one: BankStatement, projectId: string | null): boolean =>
  one.projectId === projectId && one.redactionStatus !== 'failed' && one.contentRemovedAt === null;

export interface NewStatement extends Tenant {
  readonly projectId: string | null;
  readonly fileName: string;
  readonly file: Buffer;
  /** Of the file, if it is known, in hex. */
  readonly sha256?: string;
  /** Set by the importer. Then nothing is masked, and a file that still contains personal data is rejected. */
  readonly isRedacted: boolean;
  readonly readingOptions?: Omit<ImportOptions, 'layout'>;
  /** Of extensions, for each statement that is made. */
  readonly customFields?: CustomValues;
  /** How to read its tables. One that is given as a text is kept for the next time. */
  readonly layout?: SaidLayout;
  readonly account?: string;
  /** Its bytes make one statement of a project, however often and at once they come. One that has failed may come again. */
  readonly isOnce?: boolean;
  /** Called first in the transaction of the import, with how many statements it makes. It refuses the import by a problem. */
  readonly within?: (ctx: WriteContext, statements: number) => Promise<void>;
  /** The same, called last, with these statements. */
  readonly recorded?: (ctx: WriteContext, statements: readonly BankStatement[]) => Promise<void>;
}

/** Step 1: the file that was given, or the files of an archive. */
interface Received {
  readonly wanted: NewStatement;
  readonly files: readonly ArchiveMember[];
  readonly isArchive: boolean;
}

/** Step 2: their statements, of which nothing was read yet, and how they are to be read. */
interface Identified extends Omit<Received, 'files'> {
  readonly options: StoredReadingOptions;
  readonly files: readonly IdentifiedFile[];
}

interface IdentifiedFile {
  readonly statement: BankStatement;
  readonly file: Buffer;
}

/** Step 3: the same, with the content of files that are redacted already. A worker reads the others later. */
interface Prepared extends Identified {
  readonly files: readonly PreparedFile[];
}

type PreparedFile = IdentifiedFile & { readonly read?: ReadStatement; readonly failure?: Failure };

const EMITS = [BankStatementReceived, BankStatementRedactionFailed, BankStatementUpdated];

/** What would be known of a file, and how many occurrences of each kind would be masked. */
export type CheckedFile = BankStatement & { readonly maskedCounts: Readonly<Record<string, number>> };

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

  /** A file as one statement. If it is said to be redacted but is not, or cannot be read, it is recorded as failed. */
  async import(actor: Actor, wanted: NewStatement): Promise<BankStatement> {
    const [statement] = await this.importFiles(actor, receiveOne(wanted));
    return statement!;
  }

  /** An archive is imported as a statement for each of its files, all of them or none. */
  async importAll(actor: Actor, wanted: NewStatement): Promise<readonly BankStatement[]> {
    return this.importFiles(actor, receive(wanted));
  }

  /**
   * All of an import but its transaction, in which what is returned is called, with the project by then. Where the file goes to a foreign
   * store, it is there before; if nobody claims it, it is removed.
   */
  async prepare(wanted: NewStatement): Promise<(ctx: WriteContext, projectId: string | null) => Promise<BankStatement>> {
    const { files, ...identified } = await this.named(receiveOne(wanted));
    const toKeep = files.map(({ statement: { id }, file }) => ({ id, file }));
    const originals = await this.record.placing(wanted, toKeep, (placed) => Promise.resolve(placed));
    return async (ctx, projectId) => {
      const inProject = files.map(({ statement, file }) => ({ file, statement: { ...statement, projectId } }));
      const [statement] = await this.recordIn(ctx, { ...identified, files: inProject }, originals);
      return statement!;
    };
  }

  /** How a file would be read. Nothing of it is kept. */
  async check(wanted: NewStatement): Promise<CheckedFile> {
    const { files } = await this.named(receiveOne(wanted));
    const [{ statement, read, failure = null }] = (await Promise.all(
      files.map((file) => this.readOne(file, { isRedacted: false, isCheck: true })),
    )) as [PreparedFile];
    return { ...statement, ...read?.facts, failure, maskedCounts: read?.redaction.counts ?? {} };
  }

  private async importFiles(actor: Actor, received: Received): Promise<readonly BankStatement[]> {
    const identified = await this.identify(received);
    const prepared = await this.readRedacted(identified);
    return this.recordAll(actor, prepared);
  }

  private async identify(received: Received): Promise<Identified> {
    const { wanted } = received;
    if (wanted.projectId !== null) await this.projects.get(wanted, wanted.projectId);
    return this.named(received);
  }

  private async named({ wanted, files, isArchive }: Received): Promise<Identified> {
    const options = await this.findOptions(wanted);
    const names = await Promise.all(files.map(({ path }) => (isArchive ? this.memberName(wanted, path) : this.redactedName(wanted, path))));
    const now = this.clock.timestamp();
    const identified = files.map(({ file }, index) => ({
      file,
      statement: pendingStatement({ ...wanted, file, ...(isArchive && { sha256: undefined }) }, options, names[index]!, now),
    }));
    return { wanted, isArchive, options, files: identified };
  }

  /** One file after the other. Nothing is recorded of an archive of which a file is refused. */
  private async readRedacted(identified: Identified): Promise<Prepared> {
    if (!identified.wanted.isRedacted) return identified;
    const files: PreparedFile[] = [];
    for (const file of identified.files) {
      const prepared = await this.readOne(file, { isRedacted: true });
      if (identified.isArchive && prepared.failure) throw unreadable(files.length + 1, prepared.failure);
      files.push(prepared);
    }
    return { ...identified, files };
  }

  /** No worker is involved. Of a file that is redacted, the lines stay as they are, except for the own account. */
  private async readOne(identified: IdentifiedFile, how: Pick<StatementSource, 'isRedacted' | 'isCheck'>): Promise<PreparedFile> {
    const { fileName, sizeBytes, readingOptions, ...tenant } = identified.statement;
    const bytes = Readable.from(partsOf(identified.file));
    const source = { fileName, sizeBytes, bytes, ...how, readingOptions: readingOptions ?? {} };
    try {
      return { ...identified, read: await this.content.read(tenant, source) };
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      return { ...identified, failure: { code: error.code, message: error.message } };
    }
  }

  /** Step 4. Files that were not read are kept: all or none. If they go to a foreign store, they are put there before the transaction. */
  private recordAll(actor: Actor, prepared: Prepared): Promise<readonly BankStatement[]> {
    const toKeep = prepared.files.filter(({ read }) => !read).map(({ statement: { id }, file }) => ({ id, file }));
    return this.record.placing(prepared.wanted, toKeep, (originals) => this.inTransaction(actor, prepared, originals));
  }

  private inTransaction(actor: Actor, prepared: Prepared, originals: readonly Original[]): Promise<readonly BankStatement[]> {
    return this.write(actor, prepared.wanted, (ctx) => this.recordIn(ctx, prepared, originals));
  }

  private async recordIn(
    ctx: WriteContext,
    { wanted, options, files }: Prepared,
    originals: readonly Original[],
  ): Promise<readonly BankStatement[]> {
    await wanted.within?.(ctx, files.length);
    if (!files.some(({ failure }) => failure)) await this.keepLayout(ctx, wanted, options);
    const statements: BankStatement[] = [];
    for (const [index, file] of files.entries()) {
      const earlier = wanted.isOnce ? await this.record.earlier(ctx, file.statement) : undefined;
      statements.push(earlier ?? (await this.recordOne(ctx, file, originals[index])));
    }
    await wanted.recorded?.(ctx, statements);
    return statements;
  }

  private async recordOne(ctx: WriteContext, { statement, read, failure }: PreparedFile, original?: Original): Promise<BankStatement> {
    if (failure) return this.record.refused(ctx, statement, original!, failure);
    if (!read) return this.record.queued(ctx, statement, original!);
    const facts = await this.content.storeLines(ctx, statement.id, read);
    return this.record.skipped(ctx, { ...statement, ...facts });
  }

  /** With the layout itself, so that a retry reads the same even if another one is kept by then. */
  private async findOptions({ account, layout, readingOptions, ...tenant }: NewStatement): Promise<StoredReadingOptions> {
    const said = { ...readingOptions, ...(layout && { layout: await this.layouts.meant(tenant, layout) }) };
    if (account === undefined) return said;
    const { ownAccountOf } = await import('../../../../tools/personal-data/index.js');
    const own = ownAccountOf(account, await this.content.findKey(tenant));
    return { ...said, ...(own && { account: own }) };
  }

  private async keepLayout(ctx: WriteContext, { layout: said }: NewStatement, { layout }: StoredReadingOptions): Promise<void> {
    if (said && 'text' in said && layout) await this.layouts.keepIn(ctx, layout);
  }

  /** Files are often named after people and accounts, and the name is in answers, events and the audit log. */
  private async redactedName({ organizationId, environment }: NewStatement, path: string): Promise<string> {
    const { redactFileName } = await import('../../../../tools/personal-data/index.js');
    return redactFileName(nameOfPath(path), await this.content.findKey({ organizationId, environment }));
  }

  /** Such as `2026.zip/january.csv`. */
  private async memberName(wanted: NewStatement, path: string): Promise<string> {
    const [archive, member] = [await this.redactedName(wanted, wanted.fileName), await this.redactedName(wanted, path)];
    const { MAX_FILE_NAME_LENGTH } = await import('../../../../tools/personal-data/index.js');
    const room = Math.max(0, MAX_FILE_NAME_LENGTH - 1 - [...member].length);
    return [[...archive].slice(0, room).join(''), member].filter(Boolean).join('/');
  }

  private write<T>(actor: Actor, { organizationId, environment }: Tenant, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
    return this.unitOfWork.run({ ...changeContext(organizationId, actor), environment, emits: EMITS }, work);
  }
}

function receive(wanted: NewStatement): Received {
  const files = membersIn(wanted.file);
  if (files) withRightName({ path: wanted.fileName, file: wanted.file });
  return files ? { wanted, files, isArchive: true } : receiveOne(wanted);
}

function receiveOne(wanted: NewStatement): Received {
  const { fileName, file } = wanted;
  if (file.length > MAX_FILE_BYTES) throw fileTooLarge();
  return { wanted, files: [withRightName({ path: fileName, file })], isArchive: false };
}

export const fileTooLarge = (): FileRefusal => new FileRefusal('file_too_large', `The file is larger than ${MAX_FILE_SIZE}.`);

const unreadable = (number: number, failure: Failure): FileRefusal =>
  new FileRefusal('unreadable_file', `File ${number} of the archive: ${failure.message}`, { number, failure });

type Pending = Pick<NewStatement, 'organizationId' | 'environment' | 'projectId' | 'file' | 'customFields'> & {
  readonly sha256?: string | undefined;
};

/** The record of a file that was not read yet. Its name is already redacted. */
function pendingStatement(
  { organizationId, environment, projectId, file, sha256, customFields = {} }: Pending,
  readingOptions: StoredReadingOptions,
  fileName: string,
  now: string,
): BankStatement {
  return {
    ...aNewRow({ organizationId, environment }, now),
    projectId,
    readingOptions,
    fileName,
    sizeBytes: file.length,
    sha256: sha256 ?? createHash('sha256').update(file).digest('hex'),
    redactionStatus: 'pending',
    lostWorkers: 0,
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
    certainty: null,
    balances: [],
    ...BANK_STATEMENT_FIELDS.stored({ customFields }),
  };
}

/** The last part of a path, without characters that Postgres or JSON cannot store. */
export const nameOfPath = (path: string): string =>
  path
    .replace(/^.*[/\\]/s, '')
    .toWellFormed()
    .replaceAll('\u0000', '');

const PART_BYTES = 64 * 1024;

/** Copies: with a view of the file, a thread would be sent all of it each time. */
export function* partsOf(file: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < file.length; start += PART_BYTES) yield new Uint8Array(file.subarray(start, start + PART_BYTES));
}
