import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Threads } from '../../../store/threads/threads.js';
import { StatementsService } from '../../statements/index.js';
import type { RunInputs } from '../engine/inputs.js';
import type { ClaimReportResultDto } from '../result.dto.js';
import type makeReport from './make-report.computation.js';
import type { WrittenFile } from '../outputs/write-outputs.js';
import type { RunProgress } from './run-progress.js';
import type { LineBatch, ReportOrder } from './make-report.computation.js';

const MAKE_REPORT = new URL('./make-report.computation.js', import.meta.url);
const ADVICE = 'Use fewer or simpler patterns in the rules, or fewer statements.';

/** A result and its files. */
export interface MadeReport {
  readonly result: ClaimReportResultDto;
  readonly files: readonly WrittenFile[];
}

interface Course {
  /** Stops the run. */
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** Makes the result and the files of a run from its inputs, in a thread. */
@Injectable()
export class ReportMaker {
  constructor(
    private readonly statements: StatementsService,
    private readonly threads: Threads,
    private readonly settings: Settings,
  ) {}

  async make(tenant: Tenant, run: ReportOrder['run'], inputs: RunInputs, { signal, progress }: Course): Promise<MadeReport> {
    const tokenKey = await this.statements.tokenKey(tenant);
    const input = { run, inputs, tokenKey, limits: this.settings.reportLimits };
    const items = this.linesOf(tenant, inputs, progress);
    const made = this.threads.compute<typeof makeReport>(MAKE_REPORT, { input, items, signal, advice: ADVICE });
    const files: WrittenFile[] = [];
    for (;;) {
      const { done, value } = await made.next();
      if (done) return { result: { ...value, outputs: files.map(({ format, bytes, sha256 }) => ({ format, bytes, sha256 })) }, files };
      files.push(value);
      progress.wroteFile();
    }
  }

  private async *linesOf(tenant: Tenant, { statements }: RunInputs, progress: RunProgress): AsyncGenerator<LineBatch> {
    for (const { id: statementId } of statements) {
      for await (const lines of this.statements.lines(tenant, statementId)) {
        progress.readLines(lines.length);
        yield { statementId, lines };
      }
      progress.readStatement();
    }
  }
}
