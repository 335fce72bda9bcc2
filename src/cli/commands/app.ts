import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { GrantType, IssuedApplication } from '../../modules/oauth/index.js';
import { type Environment, OPERATOR } from '../../kernel/context.js';
import { commaList, duration, parseEnvironment, oneOf, print, withJson } from '../options.js';
import { withServices } from '../command-context.js';
import { addShared } from './app-shared.js';

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
function shown({
  id,
  clientId,
  name,
  environment,
  isPublic,
  grants,
  redirectUris,
  scopes,
  status,
  sharedClientId,
  secretHint,
  previousSecretExpiresAt,
  publicKeys,
  createdAt,
}: Row) {
  return {
    id,
    clientId,
    name,
    environment,
    isPublic,
    grants,
    redirectUris,
    scopes,
    status,
    sharedClientId,
    secretHint,
    previousSecretExpiresAt,
    publicKeys,
    createdAt,
  };
}

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
  addShared(app);

  withJson(app.command('list').description('List the applications of an organization.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .action(async (options: { org: string; json?: boolean }) => {
      const rows = await withServices(async ({ applications, organizations }) =>
        applications.ofOrganization((await organizations.named(options.org)).id),
      );
      print(options, rows.map(shown), rows.map(line));
    });

  for (const [name, status, about] of [
    ['approve', 'approved', 'Approve an application, so that it gets access tokens.'],
    ['suspend', 'suspended', 'Suspend an application. It takes effect everywhere within a second.'],
  ] as const) {
    withJson(app.command(`${name} <id>`).description(about)).action(async (id: string, options: { json?: boolean }) => {
      const row = await withServices(({ applications }) => applications.setStatus(OPERATOR, id, status));
      print(options, shown(row), [line(row)]);
    });
  }

  withJson(app.command('set <id>').description('Replace the public keys of an application, or its secret by public keys.'))
    .requiredOption('--public-key <file>', PUBLIC_KEY, readKeyFile)
    .action(async (id: string, options: { publicKey: string; json?: boolean }) => {
      const row = await withServices(({ applications }) => applications.setPublicKeys(OPERATOR, id, options.publicKey));
      print(options, shown(row), [line(row)]);
    });

  withJson(app.command('rotate-secret <id>').description('Create a new secret. The old one stays valid for the overlap.'))
    .addOption(new Option('--overlap <duration>', 'how long the old secret stays valid').argParser(duration).default(24 * 3_600_000, '24h'))
    .action(async (id: string, options: { overlap: number; json?: boolean }) => {
      printIssued(options, await withServices(({ applications }) => applications.rotateSecret(OPERATOR, id, options.overlap)));
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
    .action(async (options: CreateOptions) => {
      const {
        name,
        environment,
        grants,
        redirectUri: redirectUris,
        scopes,
        public: isPublic = false,
        pending: isPending = false,
      } = options;
      const issued = await withServices(async ({ applications, organizations }) => {
        const { id: organizationId } = await organizations.named(options.org);
        return applications.create(OPERATOR, {
          organizationId,
          environment,
          name,
          grants,
          redirectUris,
          scopes,
          isPublic,
          isPending,
          ...(options.publicKey !== undefined && { publicKeys: options.publicKey }),
        });
      });
      printIssued(options, issued);
    });
}
