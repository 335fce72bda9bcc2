import { type Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import type { Environment } from '../../kernel/context.js';
import { pick } from '../../kernel/changes.js';
import type { GrantType, IssuedApplication } from '../../modules/oauth/index.js';
import { commaList, duration, oneOf, parseEnvironment, print, printList, withJson, withServices } from '../command.js';
import { operator } from '../operator.js';

interface Shared {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const sharedLine = ({ clientId, name }: Shared): string => `${clientId}  ${name}`;
const shownShared = ({ clientId, name, redirectUris }: Shared) => ({ clientId, name, redirectUris });

/** Applications that every organization can connect. */
function addListed(app: Command): void {
  withJson(app.command('create-shared').description('Create a public application that every organization can connect. You vouch for it.'))
    .requiredOption('--name <name>', 'name that users see')
    .requiredOption('--redirect-uri <uri>', 'redirect URI; can be repeated', (uri: string, uris: string[] = []) => [...uris, uri])
    .action(async (options: { name: string; redirectUri: string[]; json?: boolean }) => {
      const made = await withServices(({ registrations }) => registrations.list(options.name, options.redirectUri));
      print(options, shownShared(made), [sharedLine(made)]);
    });

  withJson(app.command('list-shared').description('List the applications that you created for every organization.')).action(
    async (options: { json?: boolean }) => {
      const rows = await withServices(({ registrations }) => registrations.listed());
      print(options, rows.map(shownShared), rows.map(sharedLine));
    },
  );

  withJson(app.command('remove-shared <client>').description('Remove one of them. Nobody can connect it or refresh its tokens.')).action(
    async (clientId: string, options: { json?: boolean }) => {
      const removed = await withServices(({ registrations }) => registrations.remove(clientId));
      print(options, shownShared(removed), [sharedLine(removed)]);
    },
  );
}

/** What an organization allows of them. */
function addDecisions(app: Command): void {
  for (const [name, isAllowed, about] of [
    ['allow', true, 'Let the users of an organization connect an application, by its client id.'],
    ['deny', false, 'Block an application in an organization, by its client id. Its tokens end within a second.'],
  ] as const) {
    withJson(app.command(`${name} <client>`).description(about))
      .requiredOption('--org <org>', 'organization: id or slug')
      .action(async (clientId: string, options: { org: string; json?: boolean }) => {
        await withServices(async ({ connectionRules, organizations }) => {
          const { id } = await organizations.named(options.org);
          await connectionRules.decide(operator(), id, clientId, isAllowed);
        });
        print(options, { clientId, isAllowed }, [`${clientId}  ${isAllowed ? 'allowed' : 'denied'}`]);
      });
  }

  withJson(app.command('decisions').description('Show the rule of an organization, and the applications that it allows or denies.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .action(async (options: { org: string; json?: boolean }) => {
      const { rule, decisions } = await withServices(async ({ connectionRules, organizations }) =>
        connectionRules.ofOrganization((await organizations.named(options.org)).id),
      );
      const decided = decisions.map(({ clientId, isAllowed }) => ({ clientId, isAllowed }));
      const lines = decided.map(({ clientId, isAllowed }) => `${clientId}  ${isAllowed ? 'allowed' : 'denied'}`);
      print(options, { rule, decisions: decided }, [`rule: ${rule}`, ...lines]);
    });
}

type Row = IssuedApplication['row'];

// Listed here again because importing them from the module would load the application for a command's help.
const grant = oneOf<GrantType>(['authorization_code', 'client_credentials', 'device_code']);

const PUBLIC_KEY = 'authenticate with signed assertions instead of a secret: a file with a public key in PEM, or JWKs';

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`cannot be read (${(error as { code?: string }).code})`);
  }
}

function grantList(value: string): GrantType[] {
  const grants = commaList(value).map(grant);
  if (grants.length === 0) throw new InvalidArgumentError('must name at least one');
  return grants;
}

/** An application without the hash of its secret. */
const shown = (row: Row) =>
  pick(row, [
    'id',
    'clientId',
    'name',
    'environment',
    'isPublic',
    'grants',
    'redirectUris',
    'scopes',
    'status',
    'sharedClientId',
    'secretHint',
    'previousSecretExpiresAt',
    'publicKeys',
    'createdAt',
  ]);

/** A connection is shown with the client id of its application, since nobody uses its own. */
const line = ({ id, clientId, sharedClientId, name, environment, status }: Row): string =>
  `${id}  ${sharedClientId ?? clientId}  ${environment}  ${status}  ${name}`;

function printIssued(options: { json?: boolean }, { row, clientSecret }: IssuedApplication): void {
  const secret = clientSecret === null ? [] : [clientSecret, 'Store it now: the secret is not shown again.'];
  print(options, { ...shown(row), clientSecret }, [line(row), ...secret]);
}

export function addApp(program: Command): void {
  const app = program
    .command('app')
    .description('Partner applications (OAuth): create, list, approve, suspend, change keys, rotate the secret.');
  addCreate(app);
  addListed(app);
  addDecisions(app);

  withJson(app.command('list').description('List the applications of an organization.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .action(async (options: { org: string; json?: boolean }) => {
      const rows = await withServices(async ({ applications, organizations }) =>
        applications.ofOrganization((await organizations.named(options.org)).id),
      );
      printList(options, rows.map(shown), rows, {
        id: ({ id }) => id,
        'client id': ({ sharedClientId, clientId }) => sharedClientId ?? clientId,
        environment: ({ environment }) => environment,
        status: ({ status }) => status,
        name: ({ name }) => name,
      });
    });

  for (const [name, status, about] of [
    ['approve', 'approved', 'Approve an application, so that it gets access tokens.'],
    ['suspend', 'suspended', 'Suspend an application. It takes effect everywhere within a second.'],
  ] as const) {
    withJson(app.command(`${name} <id>`).description(about)).action(async (id: string, options: { json?: boolean }) => {
      const row = await withServices(({ applications }) => applications.setStatus(operator(), id, status));
      print(options, shown(row), [line(row)]);
    });
  }

  withJson(app.command('set <id>').description('Replace the public keys of an application, or its secret by public keys.'))
    .requiredOption('--public-key <file>', PUBLIC_KEY, readKeyFile)
    .action(async (id: string, options: { publicKey: string; json?: boolean }) => {
      const row = await withServices(({ applications }) => applications.setPublicKeys(operator(), id, options.publicKey));
      print(options, shown(row), [line(row)]);
    });

  withJson(app.command('rotate-secret <id>').description('Create a new secret. The old one stays valid for the overlap.'))
    .addOption(new Option('--overlap <duration>', 'how long the old secret stays valid').argParser(duration).default(24 * 3_600_000, '24h'))
    .action(async (id: string, options: { overlap: number; json?: boolean }) => {
      printIssued(options, await withServices(({ applications }) => applications.rotateSecret(operator(), id, options.overlap)));
    });
}

interface CreateOptions {
  org: string;
  name: string;
  environment: Environment;
  grants: GrantType[];
  redirectUri: string[];
  scopes: string[] | 'all';
  public?: boolean;
  pending?: boolean;
  publicKey?: string;
  json?: boolean;
}

function addCreate(app: Command): void {
  withJson(app.command('create').description('Create an application. Its secret is shown once.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .requiredOption('--name <name>', 'name that users see')
    .requiredOption('--environment <environment>', 'test or live', parseEnvironment)
    .requiredOption(
      '--grants <grants>',
      'authorization_code, client_credentials, device_code, or several of them, separated by commas',
      grantList,
    )
    .option('--redirect-uri <uri>', 'redirect URI; can be repeated', (uri: string, uris: string[]) => [...uris, uri], [])
    .option(
      '--scopes <scopes>',
      'scopes, separated by commas, or all',
      (value: string) => (value === 'all' ? value : commaList(value)),
      'all' as const,
    )
    .option('--public', 'a client that cannot keep a secret, such as a mobile or browser app')
    .option('--public-key <file>', PUBLIC_KEY, readKeyFile)
    .option('--pending', 'create it as pending: it gets no access tokens until it is approved')
    .action(async ({ org, redirectUri: redirectUris, public: isPublic = false, pending: isPending = false, ...given }: CreateOptions) => {
      const { name, environment, grants, scopes, publicKey: publicKeys } = given;
      const issued = await withServices(async ({ applications, organizations }) => {
        const { id: organizationId } = await organizations.named(org);
        const fields = { name, grants, redirectUris, scopes, isPublic, isPending, ...(publicKeys !== undefined && { publicKeys }) };
        return applications.create(operator(), { organizationId, environment, ...fields });
      });
      printIssued(given, issued);
    });
}
