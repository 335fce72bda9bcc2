import type { DynamicModule, Type } from '@nestjs/common';
import type { ExtensionSettings } from './kernel/settings/extension-settings.js';
import type { SecretSource } from './kernel/settings/secret-source.js';
import { isRange } from './kernel/version-range.js';
import type { MigrationClass } from './store/database/extension-migrations.js';

/** What somebody adds to the product: src/extensions/NAME/extension.ts, or a package. */
export interface Extension<Values extends object = object> {
  /** The name of its folder, such as `suppliers`. */
  readonly name: string;
  /** The versions of the product that it was made for, such as `^1.0.0`. With others, no process starts. */
  readonly madeFor: string;
  /** Nest modules, with their controllers, entities, jobs and implementations of ports. */
  readonly modules: readonly (Type<unknown> | DynamicModule)[];
  /** In order. They run after those of the product, and a table of their own says which have run. */
  readonly migrations?: readonly MigrationClass[];
  /** What operators set: checked at start with all others, and injected by its class. */
  readonly settings?: ExtensionSettings<Values>;
  /**
   * Where the secrets of the settings come from. One extension can have one. Asked before anything starts, so it can inject nothing: it is
   * given its extension's settings, which are read before, from the environment and its files alone.
   */
  secretSource?(settings: Values): SecretSource;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const declared = new WeakSet<object>();

/** Declares an extension. A bad declaration keeps the process from starting. */
export function declareExtension<Values extends object>(extension: Extension<Values>): Extension {
  const { name, madeFor, migrations = [] } = extension;
  if (!NAME.test(name)) throw new Error(`The extension ${JSON.stringify(name)} needs a name like claim-notes.`);
  if (!isRange(madeFor))
    throw new Error(`${name}: madeFor is ${JSON.stringify(madeFor)}, but a range of versions like ^1.0.0 is expected.`);
  for (const [at, migration] of migrations.entries()) {
    if (!/\D\d{13}$/.test(migration.name))
      throw new Error(`${name}: the migration ${migration.name} must end with a time, like AddNotes1763700000000.`);
    if (migrations.findIndex((other) => other.name === migration.name) < at)
      throw new Error(`${name}: two migrations are called ${migration.name}.`);
  }
  declared.add(extension);
  return extension;
}

/** Whether it was declared to this program, not to another copy of the product. */
export const isExtension = (value: unknown): value is Extension => typeof value === 'object' && value !== null && declared.has(value);

export const settingsOf = (extensions: readonly Extension[]): ExtensionSettings[] => extensions.flatMap(({ settings }) => settings ?? []);
