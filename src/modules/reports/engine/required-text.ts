const WORTH_LOOKING_FOR = 3;

/**
 * A text that stands in everything a pattern finds, in upper case; undefined when none is easily told. To look for it costs a
 * hundredth of trying the pattern. Only what stands outside of brackets is looked at, of patterns without alternatives there.
 */
export function requiredText(pattern: string): string | undefined {
  let depth = 0;
  let run = '';
  let longest = '';
  const endRun = (): void => {
    if (run.length > longest.length) longest = run;
    run = '';
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]!;
    // What is escaped may be a class, a place, or the begin of a longer escape: such patterns are rare enough to try them.
    if (character === '\\' && !/^\\[bBdDsSwW.$()[\]{}+*?|^\\-]/.test(pattern.slice(at))) return undefined;
    if (character === '[') {
      at = endOfClass(pattern, at);
      endRun();
    } else if (character === '(' || character === ')') {
      // Flags such as (?x) change how all that follows is read.
      if (/^\(\?(?!:)/.test(pattern.slice(at))) return undefined;
      depth += character === '(' ? 1 : -1;
      endRun();
    } else if (depth > 0 && character !== '\\') continue;
    else if (character === '|') return undefined;
    else if (/[*?{]/.test(character)) {
      // The character before may be missing.
      run = run.slice(0, -1);
      endRun();
      if (character === '{') at = Math.max(at, pattern.indexOf('}', at));
    } else if (/[a-zA-Z0-9 ]/.test(character)) run += character;
    else {
      endRun();
      if (character === '\\') at += 1;
    }
  }
  endRun();
  return longest.length >= WORTH_LOOKING_FOR ? longest.toUpperCase() : undefined;
}

/** A `]` at its begin belongs to a class; what is escaped does not end it. */
function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at += 1;
  if (pattern[at] === ']') at += 1;
  for (; at < pattern.length && pattern[at] !== ']'; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern.startsWith('[:', at)) at = Math.max(at, pattern.indexOf(':]', at) + 1);
  }
  return at;
}
