const UNITS = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1000 },
  { name: 'millisecond', ms: 1 },
] as const;
const [DAY, , , SECOND, MILLISECOND] = UNITS;

/** A duration for a sentence, in the largest unit that states it exactly: `30 days`, `24 hours`, `90 seconds`. */
export function inWords(ms: number): string {
  if (ms === 0) return '0 seconds';
  // "24 hours" is what people say; days begin with two.
  const exact = UNITS.find((unit) => ms % unit.ms === 0 && (unit !== DAY || ms >= 2 * DAY.ms)) ?? MILLISECOND;
  const count = Math.round(ms / exact.ms);
  return `${count} ${exact.name}${count === 1 ? '' : 's'}`;
}

/** A duration for a sentence that begins with "about", rounded to the largest unit of which there are at least two: `28 hours`. */
export function roughlyInWords(ms: number): string {
  const unit = UNITS.find((candidate) => ms >= 2 * candidate.ms) ?? SECOND;
  return inWords(Math.round(ms / unit.ms) * unit.ms);
}
