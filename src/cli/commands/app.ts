import { type Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import type { Environment } from '../../kernel/context.js';
import type { GrantType, IssuedApplication, SecurityRule } from '../../modules/oauth/index.js';
import { OWN_LIMIT_NAMES } from '../../api/limits/own-limits.js';
import { given, pick } from '../../kernel/changes.js';
import { commaList } from '../../kernel/text.js';
import { columns, duration, jsonCommand, type JsonOption, oneOf, organizationCommand, type OrgOption } from '../command.js';
import { type LimitOptions, limitsIn, type ProjectOptions, projectsIn, withLimits, withProjects } from '../command.js';
import { parseEnvironment, print, printList, scopeList, withOrganization, withServices, operator } from '../command.js';
import type { Services } from '../open-services.js';

type Shared = Awaited<ReturnType<Services['registrations']['remove']>>;

const sharedLine = ({ clientId, name }: Shared): string => `${clientId}  ${name}`;
const shownShared = ({ clientId, name, redirectUris }: Shared) => ({ clientId, name, redirectUris });
const printShared = (options: JsonOption, shared: Shared): void => print(options, shownShared(shared), [sharedLine(shared)]);

function addListed(app: Command): void {
  jsonCommand(app, 'create-shared', 'Create a public application that every organization can connect. You vouch for it.')
    .requiredOption('--name <name>', 'name that users see')
    .requiredOption('--redirect-uri <uri>', 'redirect URI; can be repeated', (uri: string, uris: string[] = []) => [...uris, uri])
    .action(async (options: { name: string; redirectUri: string[]; json?: boolean }) => {
      printShared(options, await withServices(({ registrations }) => registrations.list(options.name, options.redirectUri)));
    });

  jsonCommand(app, 'list-shared', 'List the applications that you created for every organization.').action(async (options: JsonOption) => {
    const rows = await withServices(({ registrations }) => registrations.listed());
    print(options, rows.map(shownShared), rows.map(sharedLine));
  });

  jsonCommand(app, 'remove-shared <client>', 'Remove one of them. Nobody can connect it or refresh its tokens.').action(
    async (id: string, options: JsonOption) => printShared(options, await withServices(({ registrations }) => registrations.remove(id))),
  );
}

function addDecisions(app: Command): void {
  for (const [name, isAllowed, about] of [
    ['allow', true, 'Let the users of an organization connect an application, by its client id.'],
    ['deny', false, 'Block an application in an organization, by its client id. Its tokens end within a second.'],
  ] as const) {
    organizationCommand(app, `${name} <client>`, about).action(async (clientId: string, options: OrgOption) => {
      await withOrganization(options.org, (id, { connectionRules }) => connectionRules.decide(operator(), id, clientId, isAllowed));
      print(options, { clientId, isAllowed }, [decisionLine({ clientId, isAllowed })]);
    });
  }

  const about = 'Show the rule of an organization, and the applications that it allows or denies.';
  organizationCommand(app, 'decisions', about).action(async (options: OrgOption) => {
    const { rule, decisions } = await withOrganization(options.org, (id, { connectionRules }) => connectionRules.ofOrganization(id));
    const decided = decisions.map(({ clientId, isAllowed }) => ({ clientId, isAllowed }));
    print(options, { rule, decisions: decided }, [`rule: ${rule}`, ...decided.map(decisionLine)]);
  });
}

const decisionLine = ({ clientId, isAllowed }: { readonly clientId: string; readonly isAllowed: boolean }): string =>
  `${clientId}  ${isAllowed ? 'allowed' : 'denied'}`;

type Row = IssuedApplication['row'];

// Listed here again because importing them from the module would load the application for a command's help.
const GRANTS: readonly GrantType[] = ['authorization_code', 'client_credentials', 'device_code'];
const PUBLIC_KEY = 'authenticate with signed assertions instead of a secret: a file with a public key in PEM, or JWKs';

const rule = oneOf<SecurityRule>(['fapi2', 'require_pushed_authorization_requests', 'dpop_bound_access_tokens']);
const rules = (value: string): SecurityRule[] => (value === 'none' ? [] : commaList(value).map(rule));

interface Security extends LimitOptions, ProjectOptions {
  profile?: SecurityRule[];
  rules?: SecurityRule[];
  publicKey?: string;
  jwksUri?: string;
}

/** How an application is bound: at its creation, and when it is changed. */
const withSecurity = (command: Command): Command =>
  withProjects(withLimits(command))
    .option('--profile <profile>', 'fapi2, the FAPI 2.0 Security Profile, which needs public keys; or none', rules)
    .addOption(
      new Option('--rules <rules>', 'in place of a profile: require_pushed_authorization_requests, dpop_bound_access_tokens, both, or none')
        .argParser(rules)
        .conflicts('profile'),
    )
    .option('--public-key <file>', PUBLIC_KEY, readKeyFile)
    .addOption(new Option('--jwks-uri <url>', 'the same, with the keys that it publishes at this address').conflicts('publicKey'));

const securityOf = ({ profile, rules: single, publicKey, jwksUri, ...bounds }: Security) => ({
  ...limitsIn(bounds),
  ...projectsIn(bounds),
  ...given({ securityRules: profile ?? single, publicKeys: jwksUri ?? publicKey }),
});

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`cannot be read (${(error as { code?: string }).code})`);
  }
}

function grantList(value: string): GrantType[] {
  const grants = commaList(value).map(oneOf(GRANTS));
  if (grants.length === 0) throw new InvalidArgumentError('must name at least one');
  return grants;
}

const DESCRIBED = ['id', 'clientId', 'name', 'environment', 'isPublic', 'grants', 'redirectUris', 'scopes', 'status'] as const;
const SECURED = ['sharedClientId', 'secretHint', 'previousSecretExpiresAt', 'publicKeys', 'jwksUri', 'securityRules'] as const;

const shown = (row: Row) => pick(row, [...DESCRIBED, ...SECURED, ...OWN_LIMIT_NAMES, 'projectIds', 'createdAt']);

/** A connection is shown with the client id of its application, since nobody uses its own. */
const line = ({ id, clientId, sharedClientId, name, environment, status }: Row): string =>
  `${id}  ${sharedClientId ?? clientId}  ${environment}  ${status}  ${name}`;

const printApplication = (options: JsonOption, row: Row): void => print(options, shown(row), [line(row)]);

function printIssued(options: JsonOption, { row, clientSecret }: IssuedApplication): void {
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

  organizationCommand(app, 'list', 'List the applications of an organization.').action(async (options: OrgOption) => {
    const rows = await withOrganization(options.org, (id, { applications }) => applications.ofOrganization(id));
    printList(options, rows.map(shown), rows, {
      ...columns('id'),
      'client id': ({ sharedClientId, clientId }) => sharedClientId ?? clientId,
      ...columns('environment', 'status', 'name'),
    });
  });

  for (const [name, status, about] of [
    ['approve', 'approved', 'Approve an application, so that it gets access tokens.'],
    ['suspend', 'suspended', 'Suspend an application. It takes effect everywhere within a second.'],
  ] as const) {
    jsonCommand(app, `${name} <id>`, about).action(async (id: string, options: JsonOption) =>
      printApplication(options, await withServices(({ applications }) => applications.setStatus(operator(), id, status))),
    );
  }

  withSecurity(
    jsonCommand(app, 'set <id>', 'Change how an application is bound, its limits, projects or public keys, or replace its secret by them.'),
  ).action(async (id: string, { json, ...security }: Security & JsonOption) =>
    printApplication({ json }, await withServices(({ applications }) => applications.update(operator(), id, securityOf(security)))),
  );

  jsonCommand(app, 'rotate-secret <id>', 'Create a new secret. The old one stays valid for the overlap.')
    .addOption(new Option('--overlap <duration>', 'how long the old secret stays valid').argParser(duration).default(24 * 3_600_000, '24h'))
    .action(async (id: string, options: { overlap: number; json?: boolean }) => {
      printIssued(options, await withServices(({ applications }) => applications.rotateSecret(operator(), id, options.overlap)));
    });
}

interface CreateOptions extends OrgOption, Security {
  name: string;
  environment: Environment;
  grants: GrantType[];
  redirectUri: string[];
  scopes: string[] | 'all';
  public?: boolean;
  pending?: boolean;
}

function addCreate(app: Command): void {
  withSecurity(organizationCommand(app, 'create', 'Create an application. Its secret is shown once.'))
    .requiredOption('--name <name>', 'name that users see')
    .requiredOption('--environment <environment>', 'test or live', parseEnvironment)
    .requiredOption('--grants <grants>', `${GRANTS.join(', ')}, or several of them, separated by commas`, grantList)
    .option('--redirect-uri <uri>', 'redirect URI; can be repeated', (uri: string, uris: string[]) => [...uris, uri], [])
    .option('--scopes <scopes>', 'scopes, separated by commas, or all', scopeList, 'all' as const)
    .option('--public', 'a client that cannot keep a secret, such as a mobile or browser app')
    .option('--pending', 'create it as pending: it gets no access tokens until it is approved')
    .action(async ({ org, redirectUri: redirectUris, public: isPublic = false, pending: isPending = false, ...given }: CreateOptions) => {
      const { name, environment, grants, scopes, json, ...security } = given;
      const fields = { name, grants, redirectUris, scopes, isPublic, isPending, ...securityOf(security) };
      const issued = await withOrganization(org, (organizationId, { applications }) =>
        applications.create(operator(), { organizationId, environment, ...fields }),
      );
      printIssued({ json }, issued);
    });
}
