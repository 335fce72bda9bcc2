/** The lines in which a text fits into a width. Breaks at blanks, and within a word that is wider than a line. */
export function linesOf(text: string, width: number, widthOf: (part: string) => number): string[] {
  const blank = widthOf(' ');
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const word of text.split(' ')) {
    const needed = widthOf(word);
    if (line === '' && needed <= width) [line, used] = [word, needed];
    else if (line !== '' && used + blank + needed <= width) [line, used] = [`${line} ${word}`, used + blank + needed];
    else {
      if (line !== '') lines.push(line);
      const parts = needed <= width ? [word] : partsOf(word, width, widthOf);
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1)!;
      used = widthOf(line);
    }
  }
  return [...lines, line];
}

function partsOf(word: string, width: number, widthOf: (part: string) => number): string[] {
  const parts: string[] = [];
  let [part, used] = ['', 0];
  for (const character of word) {
    const needed = widthOf(character);
    if (part !== '' && used + needed > width) {
      parts.push(part);
      [part, used] = ['', 0];
    }
    part += character;
    used += needed;
  }
  return [...parts, part];
}
