import type { Extension } from './extension.js';
import { withSecrets } from './kernel/settings/secret-source.js';
import { Settings } from './kernel/settings/settings.js';
import { StartError } from './kernel/start-error.js';

/** What was read of an environment: a command reads its settings several times. */
const read = new WeakMap<NodeJS.ProcessEnv, Promise<NodeJS.ProcessEnv>>();

/** The settings of an environment, with the secrets that an extension gets elsewhere. They are in no environment: a child reads its own. */
export async function readSettings(env: NodeJS.ProcessEnv, required?: Parameters<typeof Settings.from>[1]): Promise<Settings> {
  const known = read.get(env) ?? withSecretsOf(env);
  read.set(env, known);
  // What failed may succeed the next time.
  known.catch(() => read.delete(env));
  return Settings.from(await known, required);
}

async function withSecretsOf(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  // An extension loads its modules. Without one there is nothing to load.
  const { extensions } = await import('./extensions/index.js');
  const source = sourceOf(extensions);
  return source ? withSecrets(env, source) : env;
}

function sourceOf(extensions: readonly Extension[]): Extension['secretSource'] {
  const having = extensions.filter(({ secretSource }) => secretSource);
  if (having.length > 1)
    throw new StartError(`Only one extension can have a source of secrets: ${having.map(({ name }) => name).join(', ')}.`);
  return having[0]?.secretSource;
}
