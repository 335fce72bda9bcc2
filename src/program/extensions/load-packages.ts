import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Extension, isExtension } from '../../extension.js';
import { declaredEvents } from '../../kernel/declare-event.js';
import { StartError } from '../../kernel/settings/settings.js';
import { declareInThreads } from '../../store/threads/declared-files.js';
import { describeOwner, ownerOfEvent } from './clashes.js';
import type { ExtensionPackage, LoadedExtension } from './listed-packages.js';
import { provide } from './provide.js';

type Loaded = Promise<LoadedExtension[]>;
let loading: Loaded | undefined;

/** Loads them once: what they declare is kept in the process. */
export const loadPackages = (packages: readonly ExtensionPackage[], others: readonly LoadedExtension[]): Loaded =>
  (loading ??= load(packages, others));

async function load(packages: readonly ExtensionPackage[], others: readonly LoadedExtension[]): Loaded {
  await provideProduct(packages);
  const { MODULES } = await import('../../app.module.js');
  declareInThreads(new URL('./provided.computation.js', import.meta.url).href);
  const loaded: LoadedExtension[] = [];
  const owners = new Map<string, LoadedExtension>();
  // One after the other, so that it is known which of them declares an event.
  for (const from of packages) {
    const before = new Set(declaredEvents());
    const ownerOf = (kind: string): string => describeOwner(owners.get(kind) ?? ownerOfEvent(kind, MODULES, others));
    const one = { from, extension: await extensionIn(from, ownerOf) };
    loaded.push(one);
    for (const event of declaredEvents()) if (!before.has(event)) owners.set(event.kind, one);
  }
  return loaded;
}

/** Everything that extensions share with the product, and no other copy of which may be loaded. */
async function provideProduct(packages: readonly ExtensionPackage[]): Promise<void> {
  const modules = {
    '@nestjs/common': await import('@nestjs/common'),
    '@nestjs/core': await import('@nestjs/core'),
    '@nestjs/typeorm': await import('@nestjs/typeorm'),
    typeorm: await import('typeorm'),
    preact: await import('preact'),
    'preact/jsx-runtime': await import('preact/jsx-runtime'),
    'reflect-metadata': {},
    '@claims-api/extension-api': await import('../../extension-api.js'),
    '@claims-api/extension-api/computations': await import('../../extension-computations.js'),
  };
  // Also to libraries that are installed beside them. The product itself goes on with what it has.
  const homes = packages
    .flatMap(({ folder, name }) => [folder, folder.slice(0, -name.length)])
    .map((folder) => pathToFileURL(realpathSync(folder) + sep).href);
  provide(modules, (importer) => homes.some((home) => importer.startsWith(home)));
}

async function extensionIn({ name, version, madeFor, file }: ExtensionPackage, ownerOf: (kind: string) => string): Promise<Extension> {
  const what = `The extension package ${name} ${version}`;
  if (!existsSync(file)) throw new StartError(`${what} has no file ${file}, which its package.json names as claims.extension.`);
  const exported = (await import(/* @vite-ignore */ pathToFileURL(file).href).catch((error: Error & { eventKind?: string }) => {
    const { message, eventKind: kind } = error;
    throw new StartError(`${what} cannot be loaded: ${kind ? `its event ${kind} is one of ${ownerOf(kind)} already.` : message}`);
  })) as object;
  const [extension, ...others] = Object.values(exported).filter((value) => isExtension(value));
  if (!extension || others.length > 0)
    throw new StartError(`${what} must export one extension, which declareExtension returns, from ${file}.`);
  if (extension.madeFor !== madeFor)
    throw new StartError(`${what} says that it was made for ${madeFor} in its package.json, and for ${extension.madeFor} in its code.`);
  return extension;
}
