import { Option, type Command } from 'commander';
import type { IssuedKey } from '../../modules/api-keys/index.js';
import type { Environment } from '../../kernel/context.js';
import { commaList } from '../../kernel/text.js';
import { duration, jsonCommand, type JsonOption, organizationCommand, type OrgOption, parseEnvironment, print } from '../command.js';
import { printList, withOrganization, withServices, operator } from '../command.js';

type KeyRow = IssuedKey['row'];

function shown({ id, name, environment, last4, scopes, ipAllowlist, expiresAt, revokedAt, lastUsedAt, createdAt }: KeyRow) {
  return { id, name, prefix: `pk_${environment}_`, last4, environment, scopes, ipAllowlist, expiresAt, revokedAt, lastUsedAt, createdAt };
}

const stateOf = ({ revokedAt, expiresAt }: KeyRow): string =>
  revokedAt ? `revoked ${revokedAt}` : expiresAt ? `expires ${expiresAt}` : 'active';

const line = (row: KeyRow): string => `${row.id}  pk_${row.environment}_…${row.last4}  ${stateOf(row)}  ${row.name}`;

const printKey = (options: JsonOption, row: KeyRow): void => print(options, shown(row), [line(row)]);

function printIssued(options: JsonOption, { row, key }: IssuedKey): void {
  print(options, { ...shown(row), key }, [line(row), key, 'Store it now: the key is not shown again.']);
}

const scopeList = (value: string): string[] | 'all' => (value === 'all' ? value : commaList(value));

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

  jsonCommand(key, 'set <id>', 'Change a key. It takes effect everywhere within a second.')
    .option('--name <name>', 'name of the key')
    .option('--scopes <scopes>', 'scopes, separated by commas, or all', scopeList)
    .option('--allow-ip <cidrs>', 'IP addresses or CIDRs that may use the key, separated by commas; an empty string allows all', commaList)
    .action(async (id: string, options: { name?: string; scopes?: string[] | 'all'; allowIp?: string[]; json?: boolean }) => {
      const { name, scopes, allowIp: ipAllowlist } = options;
      printKey(options, await withServices(({ keys }) => keys.change(operator(), id, { name, scopes, ipAllowlist })));
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

interface CreateOptions extends OrgOption {
  environment: Environment;
  name: string;
  scopes: string[] | 'all';
  allowIp?: string[];
  expiresIn?: number;
}

function addCreate(key: Command): void {
  organizationCommand(key, 'create', 'Create a key. It is shown once.')
    .requiredOption('--environment <environment>', 'test or live', parseEnvironment)
    .option('--name <name>', 'name of the key', 'API key')
    .option('--scopes <scopes>', 'scopes, separated by commas, or all', scopeList, 'all' as const)
    .option('--allow-ip <cidrs>', 'IP addresses or CIDRs that may use the key, separated by commas', commaList)
    .option('--expires-in <duration>', 'lifetime of the key, such as 30d', duration)
    .action(async (options: CreateOptions) => {
      const { name, scopes, allowIp: ipAllowlist, expiresIn: expiresInMs } = options;
      const issued = await withOrganization(options.org, (organizationId, { keys }) =>
        keys.create(operator(), { organizationId, environment: options.environment, name, scopes, ipAllowlist, expiresInMs }),
      );
      printIssued(options, issued);
    });
}
