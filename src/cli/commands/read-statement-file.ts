import { readFileSync } from 'node:fs';
import { StartError } from '../../kernel/start-error.js';

export function readStatementFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${path} cannot be read (${(error as { code?: string }).code}).`);
  }
}
