type Version = readonly [major: number, minor: number, patch: number];
type Test = (version: Version) => boolean;

/** Numbers, of which the last ones may be missing or `x`. */
const COMPARATOR = /^(\^|~|>=|<=|>|<|=)?(?:(\d+)(?:\.(\d+)(?:\.(\d+))?)?(?:\.[x*]){0,2}|[x*])$/;
const FULL = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.-]+)?$/;
const END: Version = [Infinity, 0, 0];

const isBelow: (one: Version, other: Version) => boolean = (one, other) => {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
};

/** The first version that is not meant by as many numbers as are written. */
const after = ([major, minor, patch]: Version, written: number): Version =>
  written === 0 ? END : written === 1 ? [major + 1, 0, 0] : written === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];

/** Up to a change of the first number that is not 0, which may break what was made before. */
const untilBreaking = (version: Version, written: number): Version => {
  const first = version.findIndex((number) => number > 0);
  return after(version, first < 0 ? written : Math.min(first + 1, written));
};

function testOf(text: string): Test | undefined {
  const found = COMPARATOR.exec(text);
  if (!found || text.split('.').length > 3) return undefined;
  const [, operator = '=', ...numbers] = found;
  const written = numbers.filter((number) => number !== undefined).length;
  const from = [0, 1, 2].map((at) => Number(numbers[at] ?? 0)) as unknown as Version;
  const within =
    (end: Version): Test =>
    (version) =>
      !isBelow(version, from) && isBelow(version, end);
  const tests: Record<string, Test> = {
    '^': within(untilBreaking(from, written)),
    '~': within(after(from, Math.min(written, 2))),
    '=': within(after(from, written)),
    '>=': (version) => !isBelow(version, from),
    '>': (version) => !isBelow(version, after(from, written)),
    '<': (version) => isBelow(version, from),
    '<=': (version) => isBelow(version, after(from, written)),
  };
  return tests[operator];
}

/** The alternatives of a range, each with what a version must pass. Undefined if it is no range. */
function alternativesOf(range: string): Test[][] | undefined {
  const texts = range.split('||').map((each) =>
    each
      .trim()
      .replace(/([<>=~^]) +/g, '$1')
      .split(/ +/),
  );
  const tests = texts.map((each) => each.map((text) => testOf(text)));
  return tests.flat().includes(undefined) ? undefined : (tests as Test[][]);
}

/** Versions as npm writes them: `^1.2.0`, `~1.2`, `1.x`, `>=1.2.0 <3.0.0`, `^1.4.0 || ^2.0.0`, or one version. */
export const isRange = (range: string): boolean => FULL.test(range) || alternativesOf(range) !== undefined;

/** A candidate (`1.1.0-rc.1`) is in the ranges that have its version, so that it can be tried out. It is not that version itself. */
export function isInRange(version: string, range: string): boolean {
  if (FULL.test(range)) return version === range;
  const [, ...numbers] = FULL.exec(version)!;
  const given = numbers.map(Number) as unknown as Version;
  return alternativesOf(range)?.some((all) => all.every((test) => test(given))) ?? false;
}
