import { type Extension, settingsOf } from '../extension.js';
import { readExtensionSettings } from '../kernel/settings/extension-settings.js';
import { type SecretSource, withSecrets } from '../kernel/settings/secret-source.js';
import { Settings, StartError } from '../kernel/settings/settings.js';
import { loadExtensions } from './extensions/load-extensions.js';

/** What was read of an environment: a command reads its settings several times. */
const read = new WeakMap<NodeJS.ProcessEnv, Promise<NodeJS.ProcessEnv>>();

/** The settings of an environment, with the secrets that an extension gets elsewhere. They are in no environment: a child reads its own. */
export async function readSettings(env: NodeJS.ProcessEnv, required?: Parameters<typeof Settings.from>[1]): Promise<Settings> {
  const known = read.get(env) ?? readWithSecrets(env);
  read.set(env, known);
  // What failed may succeed the next time.
  known.catch(() => read.delete(env));
  return Settings.from(await known, required, settingsOf(await loadExtensions()));
}

async function readWithSecrets(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const source = sourceOf(await loadExtensions(), env);
  return source ? withSecrets(env, source) : env;
}

function sourceOf(extensions: readonly Extension[], env: NodeJS.ProcessEnv): SecretSource | undefined {
  const having = extensions.filter((extension) => extension.secretSource !== undefined);
  if (having.length > 1)
    throw new StartError(`Only one extension can have a source of secrets: ${having.map(({ name }) => name).join(', ')}.`);
  const [extension] = having;
  return extension?.secretSource?.(extension.settings ? readExtensionSettings(extension.settings, env) : {});
}
