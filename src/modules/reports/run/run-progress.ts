import type { ClaimReportProgressDto } from '../progress.dto.js';

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
