import { readFileSync } from 'node:fs';

export const MAX_BYTES = 65_536;

/** The text of a setting: NAME itself, or the file that NAME_FILE names, as orchestrators mount secrets. */
export function textOfSetting(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const [text, file] = [env[name], env[`${name}_FILE`]];
  if (!file) return text === '' ? undefined : text;
  if (text) throw new Error(`is set twice: also by ${name}_FILE`);
  const read = contentOf(file, name);
  if (read.length > MAX_BYTES) throw new Error(`is too long: ${name}_FILE names a file of more than ${MAX_BYTES} bytes`);
  return read === '' ? undefined : read;
}

function contentOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new Error(`cannot be read: ${name}_FILE names ${file} (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
