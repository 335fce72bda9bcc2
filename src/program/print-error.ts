import { EmbeddedDatabaseError } from '../../tools/embedded-postgres/index.js';
import { Problem } from '../kernel/problems.js';
import { SettingsError, StartError } from '../kernel/settings/settings.js';

const EXPECTED = [StartError, SettingsError, EmbeddedDatabaseError, Problem];

export function printError(error: unknown): void {
  const isExpected = EXPECTED.some((type) => error instanceof type);
  console.error(isExpected ? `claims: ${(error as Error).message}` : error);
}
