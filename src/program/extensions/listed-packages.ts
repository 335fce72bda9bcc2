import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Extension } from '../../extension.js';
import { packageFolder } from '../../kernel/package-folder.js';
import { StartError } from '../../kernel/settings/settings.js';
import { isRange } from '../../kernel/version-range.js';

const LIST = 'extensions/package.json';

export interface ExtensionPackage {
  readonly name: string;
  readonly version: string;
  readonly madeFor: string;
  readonly folder: string;
  /** The file that exports the extension. */
  readonly file: string;
  /** Other packages that it imports. */
  readonly needs: readonly string[];
}

/** With the package that it came in. Those of src/extensions have none. */
export interface LoadedExtension {
  readonly extension: Extension;
  readonly from?: ExtensionPackage;
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
  readonly claims?: { readonly extension?: string; readonly madeFor?: string; readonly extensions?: readonly string[] };
}

function manifestIn(folder: string): Manifest {
  const file = join(folder, 'package.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

const root = (): string => join(packageFolder(), 'extensions');

/** Dependencies that are extensions, and not used. */
export function unlistedPackages(folder = root()): string[] {
  if (!existsSync(join(folder, 'package.json'))) return [];
  const { dependencies = {}, claims } = manifestIn(folder);
  const others = Object.keys(dependencies).filter((name) => !claims?.extensions?.includes(name));
  const homes = others.map((name) => join(folder, 'node_modules', name));
  return others.filter((_name, at) => existsSync(join(homes[at]!, 'package.json')) && manifestIn(homes[at]!).claims?.extension);
}

/** What extensions/package.json lists: by name, but for those that import others, which come after these. None without the file. */
export function listedPackages(folder = root()): ExtensionPackage[] {
  if (!existsSync(join(folder, 'package.json'))) return [];
  const names = manifestIn(folder).claims?.extensions;
  if (!Array.isArray(names)) throw new StartError(`${LIST} must list the extensions as claims.extensions, such as ["acme-suppliers"].`);
  const packages = [...new Set(names as string[])].sort().map((name) => installed(folder, name));
  const ordered = new Set<ExtensionPackage>();
  const add = (one: ExtensionPackage, above: readonly ExtensionPackage[]): void => {
    if (above.includes(one)) throw new StartError(`The extension packages ${above.map(({ name }) => name).join(' and ')} need each other.`);
    for (const other of packages) if (one.needs.includes(other.name)) add(other, [...above, one]);
    ordered.add(one);
  };
  for (const one of packages) add(one, []);
  return [...ordered];
}

function installed(root: string, name: string): ExtensionPackage {
  const folder = join(root, 'node_modules', name);
  if (!existsSync(join(folder, 'package.json')))
    throw new StartError(`${LIST} lists ${name}, which is not in extensions/node_modules: run \`npm install ${name}\` in extensions.`);
  const { version = 'without a version', dependencies, peerDependencies, claims } = manifestIn(folder);
  const { extension, madeFor } = claims ?? {};
  if (extension === undefined || madeFor === undefined || !isRange(madeFor))
    throw new StartError(`${name} is no extension: its package.json needs claims.extension, a file, and claims.madeFor, such as ^1.0.0.`);
  const needs = Object.keys({ ...dependencies, ...peerDependencies });
  return { name, version, madeFor, folder, file: join(folder, extension), needs };
}
