import { packageJson } from '../package-folder.js';
import type { Description, Setting } from './reader.js';

/** The sentence that operators read about each of our settings, by its name. Those of extensions have theirs where they are declared. */
const SENTENCES = packageJson<Readonly<Record<string, string>>>('codes/settings.json');

/** The default of a setting, and what the documents show of it if the value itself does not say enough. */
export const byDefault = <const T>(fallback: T, shown?: string): Description<T> => ({ about: '', fallback, ...(shown && { shown }) });

/** Settings with their sentences. One without a sentence keeps the process from starting. */
export function described<Fields extends Readonly<Record<string, Setting<unknown>>>>(fields: Fields): Fields {
  const withSentences = Object.entries(fields).map(([field, setting]) => {
    const about = SENTENCES[setting.name];
    if (about === undefined) throw new Error(`codes/settings.json has no sentence about ${setting.name}.`);
    return [field, { ...setting, about }];
  });
  return Object.fromEntries(withSentences) as Fields;
}
