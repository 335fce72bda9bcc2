import type { OutputOptions } from '../engine/output-options.js';
import type { Computed } from '../result.dto.js';
import type { DetailLines } from './detail-line.js';

/** Everything that the files of a run are made from. */
export interface Report {
  readonly title: string;
  readonly subtitle: string | null;
  readonly result: Computed;
  readonly options: OutputOptions;
  readonly lines: DetailLines;
  /** The largest file that may be made. */
  readonly maxFileBytes: number;
}
