import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Extension, isExtension } from '../../extension.js';
import { declaredEvents, EventDeclaredTwice } from '../../kernel/declare-event.js';
import { StartError } from '../../kernel/settings/settings.js';
import { declareInThreads } from '../../store/threads/declared-files.js';
import { describeOwner, ownerOfEvent } from './clashes.js';
import type { ExtensionPackage } from './listed-packages.js';
import type { LoadedExtension } from './load-extensions.js';
import { provide } from './provide.js';

/** Loaded once: what they declare is kept in the process. */
let loading: Promise<LoadedExtension[]> | undefined;

export function loadPackages(packages: readonly ExtensionPackage[], others: readonly LoadedExtension[]): Promise<LoadedExtension[]> {
  return (loading ??= load(packages, others));
}

async function load(packages: readonly ExtensionPackage[], others: readonly LoadedExtension[]): Promise<LoadedExtension[]> {
  await provideProduct(packages);
  const { MODULES } = await import('../../app.module.js');
  declareInThreads(new URL('./provided.computation.js', import.meta.url).href);
  const loaded: LoadedExtension[] = [];
  /** The owner of each event that a package has declared. */
  const owners = new Map<string, LoadedExtension>();
  // One after the other, so that it is known who declares what.
  for (const from of packages) {
    const before = new Set(declaredEvents());
    const describe = (kind: string): string => describeOwner(owners.get(kind) ?? ownerOfEvent(kind, MODULES, others));
    const one = { from, extension: await extensionIn(from, describe) };
    loaded.push(one);
    for (const event of declaredEvents()) if (!before.has(event)) owners.set(event.kind, one);
  }
  return loaded;
}

/** Everything that extensions share with the product, and no other copy of which may be loaded. */
async function provideProduct(packages: readonly ExtensionPackage[]): Promise<void> {
  const shared = {
    '@nestjs/common': await import('@nestjs/common'),
    '@nestjs/core': await import('@nestjs/core'),
    '@nestjs/typeorm': await import('@nestjs/typeorm'),
    typeorm: await import('typeorm'),
    preact: await import('preact'),
    'preact/jsx-runtime': await import('preact/jsx-runtime'),
    'reflect-metadata': {},
  };
  const api = {
    '@claims-api/extension-api': await import('../../extension-api.js'),
    '@claims-api/extension-api/computations': await import('../../extension-computations.js'),
  };
  // The product itself goes on with what it has.
  const homes = packages.map(({ folder }) => pathToFileURL(realpathSync(folder) + sep).href);
  provide({ ...shared, ...api }, (importer) => homes.some((home) => importer.startsWith(home)));
}

async function extensionIn({ name, version, madeFor, file }: ExtensionPackage, describe: (kind: string) => string): Promise<Extension> {
  const what = `The extension package ${name} ${version}`;
  if (!existsSync(file)) throw new StartError(`${what} has no file ${file}, which its package.json names as claims.extension.`);
  const found = Object.values(await load()).filter((value) => isExtension(value));
  const [extension] = found;
  if (!extension || found.length > 1) throw new StartError(`${what} must export one extension from ${file}, but has ${found.length}.`);
  if (extension.madeFor !== madeFor)
    throw new StartError(`${what} says that it was made for ${madeFor} in its package.json, and for ${extension.madeFor} in its code.`);
  return extension;

  async function load(): Promise<object> {
    try {
      return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as object;
    } catch (error) {
      const { message } = error as Error;
      const twice = error instanceof EventDeclaredTwice ? `its event ${error.kind} is one of ${describe(error.kind)} already.` : message;
      throw new StartError(`${what} cannot be loaded: ${twice}`, { cause: error });
    }
  }
}
