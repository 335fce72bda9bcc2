import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Threads } from '../../../store/threads/threads.js';
import { StatementsService } from '../../statements/index.js';
import { ITEMS_STATEMENT, readOutputOptions, type RunInputs } from '../engine/inputs.js';
import type { PackedLines } from '../lines/listed-lines.js';
import type { ReceiptPart } from '../outputs/report.js';
import type { WrittenFile } from '../outputs/write-outputs.js';
import type { ClaimReportProgressDto } from '../progress.dto.js';
import { ReceiptFiles } from '../receipts/receipts.repository.js';
import type { ClaimReportResultDto } from '../result.dto.js';
import type makeReport from './make-report.computation.js';
import type { LineBatch, ReportOrder } from './make-report.computation.js';

/** Runs that end sooner write no progress at all. */
const WRITTEN_EVERY_MS = 1000;

/** How far a run is. The worker counts; what has changed is written once a second. */
export class RunProgress {
  private readonly counts: ClaimReportProgressDto;

  constructor(statements: number) {
    this.counts = { statements, statementsRead: 0, linesRead: 0, filesWritten: 0 };
  }

  readLines(count: number): void {
    this.counts.linesRead += count;
  }

  readStatement(): void {
    this.counts.statementsRead += 1;
  }

  wroteFile(): void {
    this.counts.filesWritten += 1;
  }

  /** Writes the progress while the task runs. One that cannot be written is left out: the next one says more. */
  async writtenWhile<T>(task: () => Promise<T>, write: (progress: ClaimReportProgressDto) => Promise<void>): Promise<T> {
    let written = '';
    const writeChanged = (): void => {
      const now = JSON.stringify(this.counts);
      if (now === written) return;
      written = now;
      void write({ ...this.counts }).catch(() => undefined);
    };
    const timer = setInterval(writeChanged, WRITTEN_EVERY_MS);
    try {
      return await task();
    } finally {
      clearInterval(timer);
    }
  }
}

const MAKE_REPORT = new URL('./make-report.computation.js', import.meta.url);
const ADVICE = 'Use fewer or simpler patterns in the rules, or fewer statements.';

export interface MadeReport {
  readonly result: ClaimReportResultDto;
  readonly files: readonly WrittenFile[];
  readonly listed: PackedLines;
}

interface Course {
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** Makes the result and the files of a run from its inputs, in a thread. */
@Injectable()
export class ReportMaker {
  constructor(
    private readonly statements: StatementsService,
    private readonly receipts: ReceiptFiles,
    private readonly threads: Threads,
    private readonly settings: Settings,
  ) {}

  async make(tenant: Tenant, run: ReportOrder['run'], inputs: RunInputs, { signal, progress }: Course): Promise<MadeReport> {
    const tokenKey = await this.statements.tokenKey(tenant);
    const { organizationId } = tenant;
    const input = { run, inputs, tokenKey, limits: this.settings.reportLimits };
    const items = this.itemsOf(tenant, inputs, progress);
    const made = this.threads.compute<typeof makeReport>(MAKE_REPORT, { organizationId, input, items, signal, advice: ADVICE });
    const files: WrittenFile[] = [];
    for (;;) {
      const { done, value } = await made.next();
      if (done) {
        const outputs = files.map(({ format, bytes, sha256 }) => ({ format, bytes, sha256 }));
        return { result: { ...value.computed, outputs }, files, listed: value.listed };
      }
      files.push(value);
      progress.wroteFile();
    }
  }

  private async *itemsOf(tenant: Tenant, inputs: RunInputs, progress: RunProgress): AsyncGenerator<LineBatch | ReceiptPart> {
    const { statements, items = [], receipts = [], configuration } = inputs;
    for (const { id: statementId } of statements) {
      const stored = statementId === ITEMS_STATEMENT ? [items] : this.statements.lines(tenant, statementId);
      for await (const lines of stored) {
        progress.readLines(lines.length);
        yield { statementId, lines };
      }
      progress.readStatement();
    }
    if (!readOutputOptions(configuration?.outputOptions ?? {}).formats.includes('evidence')) return;
    for (const [index, { id }] of receipts.entries()) {
      // One that is withdrawn meanwhile has no bytes, and the pack finds that its hash is another.
      yield { index, bytes: new Uint8Array() };
      for await (const bytes of await this.receipts.open(tenant, id)) yield { index, bytes };
    }
  }
}
