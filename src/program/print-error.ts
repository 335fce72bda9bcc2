import { EmbeddedDatabaseError } from '../../tools/embedded-postgres/index.js';
import { Problem } from '../kernel/problems.js';
import { SettingsError, StartError } from '../kernel/settings/settings.js';
import { describeNotInjected } from './not-injected.js';

const EXPECTED = [StartError, SettingsError, EmbeddedDatabaseError, Problem];

export function printError(error: unknown): void {
  const isExpected = EXPECTED.some((type) => error instanceof type);
  const message = isExpected ? (error as Error).message : describeNotInjected(error);
  console.error(message === undefined ? error : `claims: ${message}`);
}
