/** Equal for names that differ only in case, or in how their words are joined: `claimablePercent`, `claimable_percent`. */
const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** The name that a key was probably meant to be: one edit, a change of case or another way to join words away from it. */
export function meantBy(key: string, names: readonly string[]): string | undefined {
  return names.find((name) => isOneEditAway(key, name) || isOneEditAway(folded(key), folded(name)));
}

/** Whether two texts are equal, or differ by one character more, less or other, or by two neighbours that are swapped. */
function isOneEditAway(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]];
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return Math.max(inA.length, inB.length) <= 1 || (inA.length === 2 && inA[0] === inB[1] && inA[1] === inB[0]);
}
