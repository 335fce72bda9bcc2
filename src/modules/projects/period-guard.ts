import type { WriteContext } from '../../store/database/unit-of-work.js';

/** Days, both included. */
export interface Days {
  readonly start: string;
  readonly end: string;
}

/** A port: refuses changes of what belongs to a project and to days that are locked. Called in the transaction of the change. */
export abstract class PeriodGuard {
  abstract requireOpen(ctx: WriteContext, projectId: string, period: Days): Promise<void>;
}
