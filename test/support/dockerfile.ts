/** An instruction of a Dockerfile: `RUN npm ci`. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  /** What follows `FROM`. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** Reads the stages of a Dockerfile, and the defaults of the arguments before the first. No here-documents. */
export function parseDockerfile(source: string): { readonly args: ReadonlyMap<string, string>; readonly stages: readonly Stage[] } {
  const lines = source.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const instructions = [...lines.matchAll(/^([A-Z]+) +(.+)$/gm)].map(([, name, text]) => ({ name: name!, text: text!.trim() }));
  const starts = instructions.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []));
  const args = new Map(
    instructions.slice(0, starts[0]).map(({ text }): [string, string] => [text.split('=')[0]!, text.slice(text.indexOf('=') + 1)]),
  );
  const stages = starts.map((start, index) => ({
    from: instructions[start]!.text,
    instructions: instructions.slice(start + 1, starts[index + 1]),
  }));
  return { args, stages };
}

export const textsOf = ({ instructions }: Stage, name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);

/** Whether a path of the build context is left out by a `.dockerignore` with plain names and names after a `**` of folders. */
export function isLeftOut(path: string, dockerignore: string): boolean {
  const patterns = dockerignore.split('\n').filter(Boolean);
  return patterns.some((pattern) =>
    pattern.startsWith('**/') ? path.split('/').includes(pattern.slice(3)) : path === pattern || path.startsWith(`${pattern}/`),
  );
}
