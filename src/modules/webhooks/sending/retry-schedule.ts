/** Attempts that fail together should not come back together. */
const JITTER = 0.2;

export interface Failure {
  /** The attempt that failed, from 1 on. */
  readonly attempt: number;
  /** What the receiver asked for by Retry-After, in milliseconds. */
  readonly retryAfterMs?: number;
}

/**
 * How long after a failed attempt the next one follows; undefined when there is none. The receiver may ask for more time than
 * the schedule gives, up to that of the step after.
 */
export function nextDelayMs(
  schedule: readonly number[],
  { attempt, retryAfterMs = 0 }: Failure,
  random: () => number = Math.random,
): number | undefined {
  const planned = schedule[attempt];
  if (planned === undefined) return undefined;
  const jittered = planned * (1 - JITTER + 2 * JITTER * random());
  const longest = Math.max(planned, schedule[attempt + 1] ?? planned);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, longest)));
}

/** `Retry-After` as seconds or as a date, in milliseconds from now. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse alone would take nearly anything for a date.
  const time = / GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}
