import type { Setting } from './reader.js';
import { textOfSetting } from './text-of-setting.js';

/** The settings of an extension: a class whose fields are their values. Its users inject it, as ours inject `Settings`. */
export interface ExtensionSettings<Values extends object = object> {
  new (): Values;
  readonly declared: Readonly<Record<string, Setting<unknown>>>;
}

export type SettingValues<Fields> = { readonly [K in keyof Fields]: Fields[K] extends Setting<infer T> ? T : never };

/** The class to extend: `class AcmeSettings extends extensionSettings({ brokerUrl: urlSetting('ACME_BROKER_URL', …) }) {}`. */
export function extensionSettings<Fields extends ExtensionSettings['declared']>(
  declared: Fields,
): ExtensionSettings<SettingValues<Fields>> {
  class Declared {
    static readonly declared = declared;
  }
  return Declared as unknown as ExtensionSettings<SettingValues<Fields>>;
}

/** Names every invalid setting at once, so that operators need not find them one start at a time. */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('; '));
  }
}

/** The values of the settings, by field. What is wrong with them is added to the problems. */
export function valuesOf(declared: ExtensionSettings['declared'], env: NodeJS.ProcessEnv, problems: string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [field, setting] of Object.entries(declared)) {
    try {
      const given = textOfSetting(env, setting.name);
      values[field] = given === undefined ? setting.fallback : setting.parse(given);
    } catch (error) {
      problems.push(`${setting.name} ${(error as Error).message}`);
    }
  }
  return values;
}

export function readExtensionSettings<T extends object>(type: ExtensionSettings<T>, env: NodeJS.ProcessEnv): T {
  const problems: string[] = [];
  const values = Object.assign(new type(), valuesOf(type.declared, env, problems));
  if (problems.length > 0) throw new SettingsError(problems);
  return values;
}
