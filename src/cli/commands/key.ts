import { Option, type Command } from 'commander';
import { OWN_LIMIT_NAMES } from '../../api/limits/own-limits.js';
import type { IssuedKey } from '../../modules/api-keys/index.js';
import { pick } from '../../kernel/changes.js';
import type { Environment } from '../../kernel/context.js';
import { commaList } from '../../kernel/text.js';
import { duration, jsonCommand, type JsonOption, organizationCommand, type OrgOption, parseEnvironment, print } from '../command.js';
import { type LimitOptions, limitsIn, printList, scopeList, withLimits, withOrganization, withServices, operator } from '../command.js';
import { type ProjectOptions, projectsIn, withProjects } from '../command.js';

type KeyRow = IssuedKey['row'];

const shown = (row: KeyRow) => ({
  ...pick(row, ['id', 'name']),
  prefix: `pk_${row.environment}_`,
  ...pick(row, ['last4', 'environment', 'scopes', 'ipAllowlist', ...OWN_LIMIT_NAMES, 'projectIds']),
  ...pick(row, ['expiresAt', 'revokedAt', 'lastUsedAt', 'createdAt']),
});

const stateOf = ({ revokedAt, expiresAt }: KeyRow): string =>
  revokedAt ? `revoked ${revokedAt}` : expiresAt ? `expires ${expiresAt}` : 'active';

const line = (row: KeyRow): string => `${row.id}  pk_${row.environment}_…${row.last4}  ${stateOf(row)}  ${row.name}`;

const printKey = (options: JsonOption, row: KeyRow): void => print(options, shown(row), [line(row)]);

function printIssued(options: JsonOption, { row, key }: IssuedKey): void {
  print(options, { ...shown(row), key }, [line(row), key, 'Store it now: the key is not shown again.']);
}

export function addKey(program: Command): void {
  const key = program.command('key').description('API keys: create, list, change, revoke, rotate.');
  addCreate(key);

  organizationCommand(key, 'list', 'List the keys of an organization.').action(async (options: OrgOption) => {
    const rows = await withOrganization(options.org, (id, { keys }) => keys.ofOrganization(id));
    printList(options, rows.map(shown), rows, {
      id: ({ id }) => id,
      key: ({ environment, last4 }) => `pk_${environment}_…${last4}`,
      state: stateOf,
      name: ({ name }) => name,
    });
  });

  withProjects(withLimits(jsonCommand(key, 'set <id>', 'Change a key. It takes effect everywhere within a second.')))
    .option('--name <name>', 'name of the key')
    .option('--scopes <scopes>', 'scopes, separated by commas, or all', scopeList)
    .option('--allow-ip <cidrs>', 'IP addresses or CIDRs that may use the key, separated by commas; an empty string allows all', commaList)
    .action(async (id: string, options: SetOptions) => {
      const { name, scopes, allowIp: ipAllowlist } = options;
      const change = { name, scopes, ipAllowlist, ...limitsIn(options), ...projectsIn(options) };
      printKey(options, await withServices(({ keys }) => keys.change(operator(), id, change)));
    });

  jsonCommand(key, 'revoke <id>', 'Revoke a key. It takes effect everywhere within a second.').action(
    async (id: string, options: JsonOption) => printKey(options, await withServices(({ keys }) => keys.revoke(operator(), id))),
  );

  jsonCommand(key, 'rotate <id>', 'Create a copy of a key with a new secret. The old key stays valid for the overlap.')
    .addOption(
      new Option('--overlap <duration>', 'how long the old key stays valid, at most 7d').argParser(duration).default(24 * 3_600_000, '24h'),
    )
    .action(async (id: string, options: { overlap: number; json?: boolean }) => {
      printIssued(options, await withServices(({ keys }) => keys.rotate(operator(), id, options.overlap)));
    });
}

interface SetOptions extends JsonOption, LimitOptions, ProjectOptions {
  name?: string;
  scopes?: string[] | 'all';
  allowIp?: string[];
}

interface CreateOptions extends OrgOption, LimitOptions, ProjectOptions {
  environment: Environment;
  name: string;
  scopes: string[] | 'all';
  allowIp?: string[];
  expiresIn?: number;
}

function addCreate(key: Command): void {
  withProjects(withLimits(organizationCommand(key, 'create', 'Create a key. It is shown once.')))
    .requiredOption('--environment <environment>', 'test or live', parseEnvironment)
    .option('--name <name>', 'name of the key', 'API key')
    .option('--scopes <scopes>', 'scopes, separated by commas, or all', scopeList, 'all' as const)
    .option('--allow-ip <cidrs>', 'IP addresses or CIDRs that may use the key, separated by commas', commaList)
    .option('--expires-in <duration>', 'lifetime of the key, such as 30d', duration)
    .action(async (options: CreateOptions) => {
      const { name, scopes, allowIp: ipAllowlist, expiresIn: expiresInMs } = options;
      const within = { ...limitsIn(options), ...projectsIn(options) };
      const fields = { environment: options.environment, name, scopes, ipAllowlist, expiresInMs, ...within };
      const issued = await withOrganization(options.org, (organizationId, { keys }) =>
        keys.create(operator(), { organizationId, ...fields }),
      );
      printIssued(options, issued);
    });
}
