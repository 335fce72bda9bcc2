import { Injectable } from '@nestjs/common';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import type { Failure } from '../../../kernel/failure.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import type { Original } from '../../../store/files/encrypted-files.js';
import { OriginalsRepository } from '../content/originals.repository.js';
import { REDACT } from '../redaction/redaction.processor.js';
import type { BankStatement } from '../statement.entity.js';
import { BankStatementDto } from '../statements.dto.js';
import { BankStatementReceived, BankStatementRedactionFailed } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';

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
