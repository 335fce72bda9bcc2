import { existsSync } from 'node:fs';

/** Reads `.env`, except in production. Variables that the environment already has win. */
export function loadDotEnv(): void {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
}
