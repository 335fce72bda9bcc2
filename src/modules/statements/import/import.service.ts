import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import { type Tenant, changeContext, type Actor } from '../../../kernel/context.js';
import { type WriteContext, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Problem } from '../../../kernel/problems.js';
import { JobFailure } from '../../../kernel/failure.js';
import { ProjectsService } from '../../projects/index.js';
import { membersIn } from './archive-members.js';
import { ImportRecord } from './import-record.js';
import { nameOfPath, pendingStatement, refuseLargeFile, type NewStatement } from './new-statement.js';
import { StatementContent } from '../content/statement-content.js';
import { StatementLayoutsService } from '../layouts/statement-layouts.service.js';
import type { BankStatement, StoredReadingOptions } from '../statement.entity.js';
import { BankStatementRedactionFailed } from '../statements.events.js';

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
      return await this.record.placing(statement, wanted.isRedacted ? [] : [file], ([original]) =>
        this.write(actor, statement, async (ctx) => {
          await wanted.within?.(ctx, 1);
          await this.keepLayout(ctx, wanted, options);
          return original ? this.record.queued(ctx, statement, original) : this.importRedacted(ctx, statement, wanted.file);
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
    const toKeep = wanted.isRedacted ? [] : files.map(({ statement: { id }, file }) => ({ id, file }));
    return this.record.placing(wanted, toKeep, (originals) =>
      this.write(actor, wanted, async (ctx) => {
        await wanted.within?.(ctx, files.length);
        await this.keepLayout(ctx, wanted, options);
        const imported: BankStatement[] = [];
        for (const [index, { statement, file }] of files.entries()) {
          const original = originals[index];
          const place = `File ${index + 1} of the archive: `;
          imported.push(
            original
              ? await this.record.queued(ctx, statement, original)
              : await this.importRedacted(ctx, statement, file).catch((error: unknown) => refuse(error, place)),
          );
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

  /** Stores the lines as they are, except for the own account. No worker is involved. */
  private async importRedacted(ctx: WriteContext, statement: BankStatement, file: Buffer): Promise<BankStatement> {
    const { facts } = await this.content.storeLines(ctx, statement.id, {
      fileName: statement.fileName,
      bytes: Readable.from(partsOf(file)),
      isRedacted: true,
      readingOptions: statement.readingOptions ?? {},
    });
    return this.record.skipped(ctx, { ...statement, ...facts });
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
