/** A port: sets gauges when somebody asks for the metrics. */
export abstract class Gauges {
  abstract readGauges(): void | Promise<void>;
}

/** What waits in a queue that is in the database. */
export interface Waiting {
  readonly length: number;
  /** Since when the first of them has been waiting; null if nothing is. */
  readonly since: string | null;
}

/** A port: work that waits for a worker. */
export abstract class WaitingWork {
  abstract readonly table: string;
  abstract waiting(): Promise<Waiting>;
}

/** Rows that wait are counted up to this number: a queue must not take long to look at when it is long. */
export const COUNTED_ROWS = 10_000;
