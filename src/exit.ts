import { EmbeddedDatabaseError } from '../tools/embedded-postgres/index.js';
import { Problem } from './kernel/problems.js';
import { SettingsError } from './kernel/settings/settings.js';
import { StartError } from './kernel/start-error.js';

/** What we foresaw is told in one line; what we did not, with its stack, since someone must mend it. */
export function exitWithOneLine(error: unknown): never {
  const foreseen =
    error instanceof StartError || error instanceof SettingsError || error instanceof EmbeddedDatabaseError || error instanceof Problem;
  console.error(foreseen ? `claims: ${error.message}` : error);
  process.exit(1);
}
