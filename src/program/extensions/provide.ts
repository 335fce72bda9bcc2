import * as module from 'node:module';
import { StartError } from '../../kernel/settings/settings.js';

type Hook = (name: string, context: { parentURL?: string }, next: (name: string, context: object) => object) => object;

const SCHEME = 'claims:';

/**
 * Who imports one of these names gets the modules that this process already has, whether it is the build or the sources: classes are
 * tokens of Nest, and declarations are kept in modules, so a second copy of them would be another product.
 */
export function provide(modules: Readonly<Record<string, object>>, isProvidedTo: (importer: string) => boolean = () => true): void {
  // The types of Node 20, with which the product is compiled, do not have it.
  const { registerHooks } = module as { registerHooks?: (hooks: Readonly<Record<'resolve' | 'load', Hook>>) => unknown };
  if (!registerHooks) throw new StartError(`Extensions as packages need Node 22.15 or later, and this is ${process.version}.`);
  Object.assign(globalThis, { [Symbol.for(SCHEME)]: modules });
  registerHooks({
    resolve: (name, context, next) =>
      Object.hasOwn(modules, name) && isProvidedTo(context.parentURL ?? '')
        ? { url: `${SCHEME}${name}`, format: 'module', shortCircuit: true }
        : next(name, context),
    load: (url, context, next) =>
      url.startsWith(SCHEME) ? { format: 'module', source: sourceOf(url.slice(SCHEME.length)), shortCircuit: true } : next(url, context),
  });

  function sourceOf(name: string): string {
    const names = Object.keys(modules[name]!).filter((each) => /^[A-Za-z_$][\w$]*$/.test(each));
    const lines = names.map((each, at) => `const _${at} = provided.${each};\nexport { _${at} as ${each} };`);
    return [`const provided = globalThis[Symbol.for('${SCHEME}')][${JSON.stringify(name)}];`, ...lines].join('\n');
  }
}
