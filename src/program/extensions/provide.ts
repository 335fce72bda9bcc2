import * as module from 'node:module';
import { StartError } from '../../kernel/settings/settings.js';

type Next<Context, Result> = (from: string, context: Context) => Result;
interface Resolved {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}
interface Source {
  readonly format: string;
  readonly source: string;
  readonly shortCircuit: boolean;
}
/** The types of Node 20, with which the product is compiled, do not know them. */
interface Hooks {
  resolve(specifier: string, context: { parentURL?: string }, next: Next<object, Resolved>): Resolved;
  load(url: string, context: object, next: Next<object, Source>): Source;
}

const SCHEME = 'claims:';
const SHARED = Symbol.for('claims.provided');

/**
 * Who imports one of these names gets the modules that this process already has, whether it is the build or the sources: classes are
 * tokens of Nest, and declarations are kept in modules, so a second copy of them would be another product.
 */
export function provide(modules: Readonly<Record<string, object>>, isProvidedTo: (importer: string) => boolean = () => true): void {
  const { registerHooks } = module as { registerHooks?: (hooks: Hooks) => unknown };
  if (!registerHooks) throw new StartError(`Extensions as packages need Node 22.15 or later, and this is ${process.version}.`);
  (globalThis as { [SHARED]?: object })[SHARED] = modules;
  registerHooks({
    resolve: (specifier, context, next) =>
      Object.hasOwn(modules, specifier) && isProvidedTo(context.parentURL ?? '')
        ? { url: `${SCHEME}${specifier}`, format: 'module', shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) => {
      if (!url.startsWith(SCHEME)) return next(url, context);
      const name = url.slice(SCHEME.length);
      return { format: 'module', source: sourceOf(name, modules[name]!), shortCircuit: true };
    },
  });
}

function sourceOf(name: string, provided: object): string {
  const names = Object.keys(provided).filter((each) => /^[A-Za-z_$][\w$]*$/.test(each));
  const lines = names.map((each, at) => `const _${at} = provided[${JSON.stringify(each)}];\nexport { _${at} as ${each} };`);
  return [`const provided = globalThis[Symbol.for('claims.provided')][${JSON.stringify(name)}];`, ...lines].join('\n');
}
