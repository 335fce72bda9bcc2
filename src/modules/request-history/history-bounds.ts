/** How long calls are kept. */
export const KEPT_DAYS = 7;
/** Of one organization and environment each process keeps so many calls of a second that succeeded, and as many that failed. */
export const KEPT_PER_SECOND = 25;
/** Calls that wait to be written. Beyond that the oldest are dropped: they are a history, and nothing is billed by them. */
export const WAITING_MAX = 10_000;
/** A filter looks at so many of the newest calls. */
export const SEARCHED_MAX = 100_000;
