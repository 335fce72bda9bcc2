import type { Command } from 'commander';
import type { SaidLayout, ShownLayout, UsedLayout, WrittenLayout } from '../../modules/statements/index.js';
import { ENVIRONMENTS, OPERATOR, type Environment, type Tenant } from '../../kernel/context.js';
import { StartError } from '../../kernel/start-error.js';
import { withServices } from '../command-context.js';
import { parseEnvironment, print, withJson } from '../options.js';
import type { Services } from '../open-services.js';
import { readStatementFile } from './read-statement-file.js';

interface Chosen {
  org: string;
  environment?: Environment;
  json?: boolean;
}

type Shown = ShownLayout & { readonly environment: Environment };

export const LAYOUT_OPTION = ['--layout <layout>', 'how its tables are read: a JSON file, or the name of a layout'] as const;

/** Names of layouts never end with `.json`. */
export const saidLayout = (value: string): SaidLayout =>
  value.endsWith('.json') ? { text: readStatementFile(value).toString('utf8') } : { name: value };

/** For a command that opens no database, and so knows no layout that an organization has kept. */
export async function layoutWithoutOrganization(said: SaidLayout): Promise<WrittenLayout> {
  const { parseLayout, shippedByName } = await import('../../modules/statements/index.js');
  if ('text' in said) return parseLayout(said.text);
  const layout = shippedByName(said.name);
  if (layout) return layout;
  const advice = '`claims statement layout list` lists them; those of an organization need --org.';
  throw new StartError(`--layout “${said.name}” is neither a .json file nor a shipped layout: ${advice}`);
}

export function addLayout(statement: Command): void {
  const layout = statement.command('layout').description('How tables of bank statements are read: the layouts of an organization.');

  chosen(layout.command('add <file>').description('Keep the layout in a JSON file, in place of one for the same header or of its name.'))
    .requiredOption(...ORG)
    .action((file: string, options: Chosen) => {
      const text = readStatementFile(file).toString('utf8');
      return show(options, (tenant, { statementLayouts }) => statementLayouts.keep(OPERATOR, tenant, text));
    });

  chosen(layout.command('remove <name>').description('Remove a layout. Later files are read as if it had not been kept.'))
    .requiredOption(...ORG)
    .action((name: string, options: Chosen) =>
      show(options, (tenant, { statementLayouts }) => statementLayouts.remove(OPERATOR, tenant, name)),
    );

  chosen(layout.command('list').description('List the layouts of an organization; without one, those of banks that are shipped.'))
    .option(...ORG)
    .action((options: Partial<Chosen>) =>
      options.org === undefined
        ? listShipped(options)
        : show({ ...options, org: options.org }, (tenant, { statementLayouts }) => statementLayouts.list(tenant)),
    );
}

const ORG = ['--org <org>', 'organization: id or slug'] as const;

const chosen = (command: Command): Command =>
  withJson(command).option('--environment <environment>', 'test or live; default: both', parseEnvironment);

type Found = ShownLayout | readonly ShownLayout[] | undefined;

/** Each environment has layouts of its own. */
async function show({ org, environment, json }: Chosen, of: (tenant: Tenant, services: Services) => Promise<Found>): Promise<void> {
  const all = await withServices(async (services) => {
    const { id: organizationId } = await services.organizations.named(org);
    const layouts: Shown[] = [];
    for (const one of environment ? [environment] : ENVIRONMENTS) {
      const found = (await of({ organizationId, environment: one }, services)) ?? [];
      layouts.push(...[found].flat().map((layout) => ({ environment: one, ...layout })));
    }
    return layouts;
  });
  print(
    { json },
    all,
    all.map(({ environment: one, name, layout, createdAt }) => `${one.padEnd(4)}  ${createdAt}  ${name}: ${columnsOf(layout)}`),
  );
}

async function listShipped(options: { json?: boolean }): Promise<void> {
  const { SHIPPED } = await import('../../modules/statements/index.js');
  print(
    options,
    SHIPPED,
    SHIPPED.map((layout) => `${layout.name}: ${columnsOf(layout)}`),
  );
}

const columnsOf = ({ width, columns }: WrittenLayout): string =>
  width === undefined ? Object.keys(columns).join(', ') : `${width} columns without a header, used only if it is named`;

const FROM: Readonly<Record<UsedLayout['from'], string>> = {
  import: 'named at the import',
  organization: 'kept by the organization',
  shipped: 'shipped',
};

export const usedLine = (layout: UsedLayout | null): string[] => (layout ? [`layout ${layout.name}, ${FROM[layout.from]}`] : []);
