import { Session } from 'node:inspector';

interface FunctionCoverage {
  readonly ranges: readonly { readonly count: number }[];
}

/** Finds out which files of src are executed, from the function calls that V8 counts. */
export class ExecutedFiles {
  private readonly session = new Session();

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    this.take();
  }

  /** The files in which a function was called since the last `take`. An in-process session answers synchronously. */
  take(): Set<string> {
    const files = new Set<string>();
    this.session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const { url, functions } of result as { url: string; functions: FunctionCoverage[] }[]) {
        const file = /\/(src\/[^?]+\.ts)(\?.*)?$/.exec(url)?.[1];
        if (file !== undefined && functions.some(({ ranges }) => ranges[0]!.count > 0)) files.add(file);
      }
    });
    return files;
  }

  stop(): void {
    this.session.post('Profiler.stopPreciseCoverage');
    this.session.disconnect();
  }
}
