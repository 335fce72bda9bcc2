import { ClaimsError, TimeoutError } from './errors.js';
import { ClaimReportsResource } from './generated.js';
import type { ClaimReport, CreateClaimReport } from './generated-types.js';
import type { CallOptions, WriteOptions } from './options.js';
import { sleep } from './waiting.js';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const GROWTH = 1.5;
const WAIT_TIMEOUT_MS = 15 * 60_000;

interface Waiting {
  /** Milliseconds to wait for the end of the run; 15 minutes by default. */
  waitTimeout?: number | undefined;
  /** Called with the report each time it was read before its end. */
  onProgress?: ((report: ClaimReport) => void) | undefined;
}

/** The run ended without a result. `report.failure` says why. */
export class ReportFailedError extends ClaimsError<'report_failed'> {
  constructor(readonly report: ClaimReport) {
    super('report_failed', `The report ${report.id} has failed: ${report.failure?.message ?? 'for an unknown reason'}`);
  }
}

export class ReportCancelledError extends ClaimsError<'report_cancelled'> {
  constructor(readonly report: ClaimReport) {
    super('report_cancelled', `The report ${report.id} was cancelled.`);
  }
}

export class Reports extends ClaimReportsResource {
  /** Queues a run and waits for its result. A failed or cancelled run is an error. */
  async createAndWait(body: CreateClaimReport = {}, options: WriteOptions & Waiting = {}): Promise<ClaimReport> {
    const { id } = await this.create(body, options);
    const { signal, timeout, waitTimeout, onProgress } = options;
    return this.wait(id, { signal, timeout, waitTimeout, onProgress });
  }

  /** Waits for the result of a run, asking less and less often. */
  async wait(
    reportId: string,
    { waitTimeout = WAIT_TIMEOUT_MS, onProgress, ...options }: CallOptions & Waiting = {},
  ): Promise<ClaimReport> {
    const end = Date.now() + waitTimeout;
    for (let ms = FIRST_WAIT_MS; ; ms = Math.min(LONGEST_WAIT_MS, ms * GROWTH)) {
      const report = await this.get(reportId, options);
      if (report.status === 'succeeded') return report;
      if (report.status === 'failed') throw new ReportFailedError(report);
      if (report.status === 'cancelled') throw new ReportCancelledError(report);
      onProgress?.(report);
      // A tenth more or less, so that reports that were made together are not asked for together.
      const wait = ms * (0.9 + Math.random() / 5);
      if (Date.now() + wait > end)
        throw new TimeoutError(`The report ${reportId} is still ${report.status}. Wait for it again with reports.wait.`);
      await sleep(wait, options.signal);
    }
  }
}
