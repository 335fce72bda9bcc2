import { InvalidArgumentError, Option, type Command } from 'commander';
import type { GrantType, IssuedApplication } from '../modules/oauth/index.js';
import { type Environment, OPERATOR } from '../kernel/context.js';
import { commaList, duration, environment, oneOf, print, withJson } from './options.js';
import { withServices } from './with-services.js';

type Row = IssuedApplication['row'];

/** Named here once more: to read them off the module would load the whole service for a command's help. */
const grant = oneOf<GrantType>(['authorization_code', 'client_credentials']);

function grantList(value: string): GrantType[] {
  const grants = commaList(value).map(grant);
  if (grants.length === 0) throw new InvalidArgumentError('must name at least one');
  return grants;
}

/** What may be shown of an application: the secret only when it is new, its hash never. */
function shown({
  id,
  clientId,
  name,
  environment: world,
  isPublic,
  grants,
  redirectUris,
  scopes,
  status,
  secretHint,
  previousSecretExpiresAt,
  createdAt,
}: Row) {
  return {
    id,
    clientId,
    name,
    environment: world,
    isPublic,
    grants,
    redirectUris,
    scopes,
    status,
    secretHint,
    previousSecretExpiresAt,
    createdAt,
  };
}

const line = ({ id, clientId, name, environment: world, status }: Row): string => `${id}  ${clientId}  ${world}  ${status}  ${name}`;

function printIssued(options: { json?: boolean }, { row, clientSecret }: IssuedApplication): void {
  const secret = clientSecret === null ? [] : [clientSecret, 'Keep it: the secret is not shown again.'];
  print(options, { ...shown(row), clientSecret }, [line(row), ...secret]);
}

export function addApp(program: Command): void {
  const app = program.command('app').description('Partner applications (OAuth): create, list, approve, suspend, rotate their secret.');
  addCreate(app);

  withJson(app.command('list').description('List the applications of an organization.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .action(async (options: { org: string; json?: boolean }) => {
      const rows = await withServices(async ({ applications, organizations }) =>
        applications.ofOrganization((await organizations.named(options.org)).id),
      );
      print(options, rows.map(shown), rows.map(line));
    });

  for (const [name, status, about] of [
    ['approve', 'approved', 'Let an application act.'],
    ['suspend', 'suspended', 'Stop an application; in force everywhere within a second.'],
  ] as const) {
    withJson(app.command(`${name} <id>`).description(about)).action(async (id: string, options: { json?: boolean }) => {
      const row = await withServices(({ applications }) => applications.setStatus(OPERATOR, id, status));
      print(options, shown(row), [line(row)]);
    });
  }

  withJson(app.command('rotate-secret <id>').description('Make a new secret; the old one stays in force for the overlap.'))
    .addOption(
      new Option('--overlap <duration>', 'how long the old secret stays in force').argParser(duration).default(24 * 3_600_000, '24h'),
    )
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
  json?: boolean;
}

function addCreate(app: Command): void {
  withJson(app.command('create').description('Register an application; its secret is shown once.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .requiredOption('--name <name>', 'what users are told it is called')
    .requiredOption('--environment <environment>', 'test, live', environment)
    .requiredOption('--grants <grants>', 'authorization_code, client_credentials, or both, separated by commas', grantList)
    .option(
      '--redirect-uri <uri>',
      'where users are sent back to; may be given several times',
      (uri: string, uris: string[]) => [...uris, uri],
      [],
    )
    .option(
      '--scopes <scopes>',
      'scopes, separated by commas, or all',
      (value: string) => (value === 'all' ? value : commaList(value)),
      'all' as const,
    )
    .option('--public', 'it can keep no secret: an app on a phone, a page in a browser')
    .option('--pending', 'not approved yet: it can do nothing until it is')
    .action(async (options: CreateOptions) => {
      const {
        name,
        environment: world,
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
          environment: world,
          name,
          grants,
          redirectUris,
          scopes,
          isPublic,
          isPending,
        });
      });
      printIssued(options, issued);
    });
}
