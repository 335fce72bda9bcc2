import { existsSync } from 'node:fs';

/** In development `.env` gives settings that the environment does not. */
export function loadDotEnv(): void {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
}
