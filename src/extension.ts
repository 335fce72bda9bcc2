import type { DynamicModule, Type } from '@nestjs/common';
import type { ExtensionSettings } from './kernel/settings/extension-settings.js';
import type { SecretSource } from './kernel/settings/secret-source.js';
import type { MigrationClass } from './store/database/extension-migrations.js';

/** What somebody adds to the product: src/extensions/NAME/extension.ts. */
export interface Extension<Values extends object = object> {
  /** The name of its folder, such as `suppliers`. */
  readonly name: string;
  /** The version of the product that it was written for. `npm run upgrade:check` compares. */
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

/** Declares an extension. A bad declaration keeps the process from starting. */
export function declareExtension<Values extends object>(extension: Extension<Values>): Extension {
  const { name, migrations = [] } = extension;
  if (!NAME.test(name)) throw new Error(`The extension ${JSON.stringify(name)} needs a name like claim-notes.`);
  for (const migration of migrations)
    if (!/\D\d{13}$/.test(migration.name))
      throw new Error(`${name}: the migration ${migration.name} must end with a time, like AddNotes1763700000000.`);
  return extension;
}
