/** Retries vary by up to this share of the delay, so that attempts that failed together are not retried together. */
const JITTER = 0.2;

/**
 * undefined when the schedule has ended. `attempt` is the one that failed, starting at 1. With Retry-After a receiver can ask for a longer
 * delay, up to the next step.
 */
export function nextDelayMs(
  schedule: readonly number[],
  { attempt, retryAfterMs = 0 }: { readonly attempt: number; readonly retryAfterMs?: number },
  random: () => number = Math.random,
): number | undefined {
  const planned = schedule[attempt];
  if (planned === undefined) return undefined;
  const jittered = planned * (1 - JITTER + 2 * JITTER * random());
  const longest = Math.max(planned, schedule[attempt + 1] ?? planned);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, longest)));
}

/** Milliseconds from now, read from a `Retry-After` header with seconds or a date; undefined when it has neither. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse accepts nearly anything; HTTP dates end with GMT.
  const time = / GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}
