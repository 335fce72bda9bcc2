import type { OutputOptions } from '../engine/output-options.js';
import type { Finding } from '../engine/checks/findings.js';
import type { RunBalance } from '../engine/inputs.js';
import type { LeftOut } from '../engine/line-accumulator.js';
import type { Computed } from '../result.dto.js';
import type { BookingAccounts } from '../../rules/index.js';
import type { DetailLines } from './detail-line.js';

/** Whose report it is, and of which run. Names are null if the run has none. */
export interface ReportAbout {
  readonly organization: string | null;
  readonly project: string | null;
  readonly clientReference: string | null;
  readonly configuration: string | null;
  readonly runId: string;
  /** When the run was started. Files take their time from it, so that the same run makes the same bytes. */
  readonly startedAt: string;
}

/** A statement of the run, as people should see it. */
export interface ReportStatement {
  /** What people call it within the report: `S1` for the first one. */
  readonly reference: string;
  readonly id: string;
  /** Redacted, like the lines. */
  readonly fileName: string | null;
  readonly accountLabel: string | null;
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  readonly balances: readonly RunBalance[];
  readonly sha256: string;
  readonly linesRead: number;
  readonly linesUsed: number;
  readonly duplicates: number;
}

/** Everything that the files of a run are made from. */
export interface Report {
  readonly about: ReportAbout;
  readonly result: Computed;
  /** The warnings of the result, for files that say them in their own language. */
  readonly findings: readonly Finding[];
  readonly options: OutputOptions;
  /** What files of extensions were told, by their formats. */
  readonly optionsOfAdded: Readonly<Record<string, unknown>>;
  /** In the order of the run, as in the result. */
  readonly statements: readonly ReportStatement[];
  /** The accounts of each category of the result, by its position there. None if no file has bookings. */
  readonly accounts: readonly BookingAccounts[];
  /** Every line if the options or a file ask for it. Else those that a category claims if a file lists these, and none if no file does. */
  readonly lines: DetailLines;
  /** The lines that are not in the figures, by the reason. None if no file shows them. */
  readonly leftOut: Readonly<Record<LeftOut, DetailLines>>;
  /** The largest file that may be made. */
  readonly maxFileBytes: number;
}
