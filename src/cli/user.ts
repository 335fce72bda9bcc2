import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { UserFacts, UserRole } from '../modules/users/index.js';
import { OPERATOR } from '../kernel/context.js';
import { oneOf, print, withJson } from './options.js';
import { withServices } from './with-services.js';

// Told here as well as in the module, which takes a second to load.
const ROLES = ['owner', 'admin', 'member'] as const satisfies readonly UserRole[];

const line = ({ id, role, status, totp, email, name }: UserFacts): string =>
  `${id}  ${role.padEnd(6)} ${status.padEnd(7)} ${totp ? 'totp' : '    '}  ${email}  ${name}`;

interface NewUserOptions {
  org: string;
  email: string;
  name?: string;
  role: UserRole;
  passwordStdin?: boolean;
  json?: boolean;
}

export function addUser(program: Command): void {
  const user = program.command('user').description('Users of the settings: create, invite, list, remove; their second factor.');

  withNewUser(user.command('create').description('Make a user who can sign in at once.'))
    .option('--password-stdin', 'read the password from standard input; else one is made and shown once')
    .action(async (options: NewUserOptions) => {
      const given = options.passwordStdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : undefined;
      const { made, password } = await withServices(async ({ users, organizations, makePassword }) => {
        const { email, name, role } = options;
        const { id: organizationId } = await organizations.named(options.org);
        const chosen = given ?? makePassword();
        return { made: await users.create(OPERATOR, { organizationId, email, name, role, password: chosen }), password: chosen };
      });
      if (given !== undefined) print(options, made, [line(made)]);
      else print(options, { ...made, password }, [line(made), password, 'Keep it: the password is not shown again.']);
    });

  withNewUser(
    user.command('invite').description('Invite a user, by a link that is good once and for seven days; inviting again replaces it.'),
  ).action(async (options: NewUserOptions) => {
    const { user: invited, ...invitation } = await withServices(async ({ invitations, organizations }) => {
      const { email, name, role } = options;
      const { id: organizationId } = await organizations.named(options.org);
      return invitations.invite(OPERATOR, { organizationId, email, name, role });
    });
    const how = invitation.mailed ? `The link was mailed to ${invited.email}.` : 'Pass it on: the link is not mailed, and not shown again.';
    print(options, { ...invited, ...invitation }, [line(invited), invitation.link, how]);
  });

  withJson(user.command('list').description('List the users of an organization.'))
    .requiredOption('--org <org>', 'organization: id or slug')
    .action(async (options: { org: string; json?: boolean }) => {
      const all = await withServices(async ({ users, organizations }) => users.list((await organizations.named(options.org)).id));
      print(options, all, all.map(line));
    });

  withJson(user.command('remove <id>').description('Remove a user; in force at once. The address may be used again.')).action(
    async (id: string, options: { json?: boolean }) => {
      const removed = await withServices(({ users }) => users.remove(OPERATOR, id));
      print(options, removed, [line(removed)]);
    },
  );

  addTotp(user);
}

function withNewUser(command: Command): Command {
  return withJson(command)
    .requiredOption('--org <org>', 'organization: id or slug')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .requiredOption('--role <role>', ROLES.join(', '), oneOf(ROLES))
    .option('--name <name>', 'what the user is called; the part of the address before the @ when left out');
}

function addTotp(user: Command): void {
  withJson(user.command('totp <id>').description('Have a user sign in with a one-time code, too; the secret for the app is shown once.'))
    .option('--off', 'a password is enough again')
    .action(async (id: string, options: { off?: boolean; json?: boolean }) => {
      if (options.off) {
        const changed = await withServices(({ users }) => users.disableTotp(OPERATOR, id));
        return print(options, changed, [line(changed)]);
      }
      const { user: changed, secret, uri } = await withServices(({ users }) => users.enableTotp(OPERATOR, id));
      print(options, { ...changed, secret, uri }, [line(changed), uri, secret, 'Keep it: the secret is not shown again.']);
    });
}
