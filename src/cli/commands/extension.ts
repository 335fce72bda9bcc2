import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { API_VERSION } from '../../kernel/product.js';
import { type LoadedExtension, unlistedPackages } from '../../program/extensions/listed-packages.js';
import { loadExtensions, loadWithPackages } from '../../program/extensions/load-extensions.js';
import { pendingMigrations } from '../../store/database/migrate.js';
import { jsonCommand, type JsonOption, printList } from '../command.js';
import { printFindings, withOwner } from './installation.js';

export function addExtension(program: Command): void {
  const extension = program.command('extension').description('Extensions of this installation: list, check.');

  jsonCommand(extension, 'list', 'List the extensions, with the packages that they are in.').action(async (options: JsonOption) => {
    const rows = (await loadWithPackages()).map(documentOf);
    printList(options, rows, rows, {
      name: ({ name }) => name,
      package: ({ package: from }) => from ?? 'src/extensions',
      version: ({ version }) => version ?? '',
      'made for': ({ madeFor }) => madeFor,
    });
  });

  jsonCommand(
    extension,
    'check',
    'Check that the extensions were made for this version, that no name is there twice, and that their migrations have run.',
  ).action(async (options: JsonOption) => {
    const { finding } = await import('./doctor-checks.js');
    const loaded = await finding(
      'extensions',
      async () => `${(await loadExtensions()).map(({ name }) => name).join(', ') || 'none'}: made for ${API_VERSION}, without a clash`,
    );
    const unlisted = unlistedPackages().map((name) => {
      const detail = `${name} is installed, but claims.extensions in extensions/package.json does not list it`;
      return { check: 'packages', ok: true, warning: true as const, detail };
    });
    const pending = loaded.ok ? [await finding('migrations', () => withOwner(requireNonePending))] : [];
    printFindings(options, [loaded, ...unlisted, ...pending]);
  });
}

const documentOf = ({ extension: { name, madeFor }, from }: LoadedExtension) => ({
  name,
  package: from?.name ?? null,
  version: from?.version ?? null,
  madeFor,
});

async function requireNonePending(source: DataSource): Promise<string> {
  // Those of extensions begin with the name of the extension.
  const pending = (await pendingMigrations(source)).filter((name) => name.includes('.'));
  if (pending.length > 0) throw new Error(`${pending.join(', ')}: run \`claims migrate\``);
  return 'all have run';
}
