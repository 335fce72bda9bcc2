/** An operator, as many numbers as are written, and `x` for others. */
const COMPARATOR = /^(\^|~|>=|<=|>|<|=)?([x*]|\d+(?:\.\d+){0,2})((?:\.[x*]){0,2})$/;
const FULL = /^(\d+\.\d+\.\d+)(?:-[\w.-]+)?$/;
/** A version is one number, so that versions are compared as numbers are. */
const UNITS = [1e12, 1e6, 1];
const valueOf = (numbers: readonly number[]): number => numbers.reduce((sum, number, at) => sum + number * UNITS[at]!, 0);

type Bounds = readonly [from: number, below: number];

function boundsOf(text: string): Bounds | undefined {
  const [, operator = '=', written = '', others = ''] = COMPARATOR.exec(text) ?? [];
  if (written === '' || `${written}${others}`.split('.').length > UNITS.length) return undefined;
  const numbers = /\d/.test(written) ? written.split('.').map(Number) : [];
  const from = valueOf(numbers);
  /** The first version that differs in one of the first numbers. */
  const after = (count: number): number => (count === 0 ? Infinity : valueOf(numbers.slice(0, count)) + UNITS[count - 1]!);
  // A change of the first number that is not 0 may break what was made before.
  const first = numbers.findIndex((number) => number > 0) + 1;
  const bounds: Record<string, Bounds> = {
    '^': [from, after(first || numbers.length)],
    '~': [from, after(Math.min(numbers.length, 2))],
    '=': [from, after(numbers.length)],
    '>=': [from, Infinity],
    '>': [after(numbers.length), Infinity],
    '<': [0, from],
    '<=': [0, after(numbers.length)],
  };
  return bounds[operator];
}

const alternativesOf = (range: string) =>
  range.split('||').map((all) =>
    all
      .trim()
      .replace(/([<>=~^]) +/g, '$1')
      .split(/ +/)
      .map(boundsOf),
  );

/** Versions as npm writes them: `^1.2.0`, `~1.2`, `1.x`, `>=1.2.0 <3.0.0`, `^1.4.0 || ^2.0.0`, or one version. */
export const isRange = (range: string): boolean => FULL.test(range) || !alternativesOf(range).flat().includes(undefined);

/** A candidate (`1.1.0-rc.1`) is in the ranges that have its version, so that it can be tried out. It is not that version itself. */
export function isInRange(version: string, range: string): boolean {
  if (FULL.test(range)) return version === range;
  const value = valueOf(FULL.exec(version)![1]!.split('.').map(Number));
  return isRange(range) && alternativesOf(range).some((all) => all.every((bounds) => bounds![0] <= value && value < bounds![1]));
}
