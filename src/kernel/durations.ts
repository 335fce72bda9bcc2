const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A duration for a sentence, in its largest whole unit: "5 days", "24 hours", "1 minute". Days from two on. */
export function inWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([name, size]) => ms % size === 0 && ms >= (name === 'day' ? 2 * size : size)) ?? ['millisecond', 1];
  const count = ms / unitMs;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
