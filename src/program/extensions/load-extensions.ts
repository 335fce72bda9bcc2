import { type Extension } from '../../extension.js';
import { API_VERSION } from '../../kernel/product.js';
import { StartError } from '../../kernel/settings/settings.js';
import { isInRange } from '../../kernel/version-range.js';
import { type ExtensionPackage, listedPackages } from './listed-packages.js';

/** With the package that it came in. Those of src/extensions have none. */
export interface LoadedExtension {
  readonly extension: Extension;
  readonly from?: ExtensionPackage;
}

/** All extensions of this installation: every door to the program begins with them. Without one there is nothing to load. */
export const loadExtensions = async (): Promise<readonly Extension[]> => (await loadWithPackages()).map(({ extension }) => extension);

export async function loadWithPackages(): Promise<LoadedExtension[]> {
  const { extensions } = await import('../../extensions/index.js');
  const listed: LoadedExtension[] = extensions.map((extension) => ({ extension }));
  for (const { extension } of listed) requireMadeFor(`The extension ${extension.name}`, extension.madeFor);
  const packages = listedPackages();
  // Before their code is loaded: it may import what this version does not have.
  for (const { name, version, madeFor } of packages) requireMadeFor(`The extension package ${name} ${version}`, madeFor);
  const loaded =
    packages.length === 0 ? listed : [...listed, ...(await (await import('./load-packages.js')).loadPackages(packages, listed))];
  if (loaded.length > 0) await requireNoClash(loaded);
  return loaded;
}

async function requireNoClash(loaded: readonly LoadedExtension[]): Promise<void> {
  const { clashesOf } = await import('./clashes.js');
  const { MODULES } = await import('../../app.module.js');
  const clashes = clashesOf(MODULES, loaded);
  if (clashes.length > 0) throw new StartError(clashes.join(' '));
}

function requireMadeFor(what: string, madeFor: string): void {
  if (isInRange(API_VERSION, madeFor)) return;
  throw new StartError(`${what} was made for ${madeFor} of the product, and this is ${API_VERSION}: take a version of it for this one.`);
}
