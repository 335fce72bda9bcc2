import type { Extension } from '../../extension.js';
import { API_VERSION } from '../../kernel/product.js';
import { StartError } from '../../kernel/settings/settings.js';
import { isInRange } from '../../kernel/version-range.js';
import { type LoadedExtension, listedPackages } from './listed-packages.js';

/** All extensions of this installation: every door to the program begins with them. Without one there is nothing to load. */
export const loadExtensions = async (): Promise<readonly Extension[]> => (await loadWithPackages()).map(({ extension }) => extension);

export async function loadWithPackages(): Promise<LoadedExtension[]> {
  const { extensions } = await import('../../extensions/index.js');
  const packages = listedPackages();
  const named = packages.map(({ name, version, madeFor }) => ({ name: `package ${name} ${version}`, madeFor }));
  // Before code of packages is loaded: it may import what this version does not have.
  for (const { name, madeFor } of [...extensions, ...named])
    if (!isInRange(API_VERSION, madeFor))
      throw new StartError(
        `The extension ${name} was made for ${madeFor} of the product, and this is ${API_VERSION}: take a version of it for this one.`,
      );
  const loaded: LoadedExtension[] = extensions.map((extension) => ({ extension }));
  if (packages.length > 0) loaded.push(...(await (await import('./load-packages.js')).loadPackages(packages, loaded)));
  if (loaded.length === 0) return loaded;
  const [{ clashesOf }, { MODULES }] = await Promise.all([import('./clashes.js'), import('../../app.module.js')]);
  const clashes = clashesOf(MODULES, loaded);
  if (clashes.length > 0) throw new StartError(clashes.join(' '));
  return loaded;
}
