import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { UserFacts } from '../../modules/users/index.js';
import { USER_ROLES, type UserRole } from '../../kernel/roles.js';
import { StartError } from '../../kernel/settings/settings.js';
import { columns, jsonCommand, type JsonOption, ofOrganization, oneOf, organizationCommand, type OrgOption, print } from '../command.js';
import { printList, withJson, withOrganization, withServices, operator } from '../command.js';

const line = ({ id, role, status, totp, passkeys, email, name }: UserFacts): string =>
  `${id}  ${role.padEnd(6)} ${status.padEnd(7)} ${totp ? 'totp' : passkeys > 0 ? 'key ' : '    '}  ${email}  ${name}`;

const printUser = (options: JsonOption, user: UserFacts): void => print(options, user, [line(user)]);

interface NewUserOptions extends OrgOption {
  email: string;
  name?: string;
  role: UserRole;
  passwordStdin?: boolean;
}

export function addUser(program: Command): void {
  const user = program.command('user').description('Users: create, invite, list, change, remove, set up a second factor.');

  withNewUser(user.command('create').description('Create a user who can sign in at once.'))
    .option('--password-stdin', 'read the password from standard input; default: show a link by which the user chooses one')
    .action(async (options: NewUserOptions) => {
      const { email, name, role } = options;
      const given = options.passwordStdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : undefined;
      const [made, issued] = await withOrganization(options.org, async (organizationId, { users, signInLinks, makePassword }) => {
        const created = await users.create(operator(), { organizationId, email, name, role, password: given ?? makePassword() });
        // No password that we make is ever known: none can stay.
        return [created, given === undefined ? await signInLinks.make(operator(), created, 'new_password') : undefined] as const;
      });
      const how = issued ? [issued.link, `The user chooses a password there, once, until ${issued.expiresAt}.`] : [];
      print(options, { ...made, ...issued }, [line(made), ...how]);
    });

  withNewUser(
    user.command('invite').description('Invite a user by a link that works once within seven days. A new invitation replaces it.'),
  ).action(async (options: NewUserOptions) => {
    const { email, name, role } = options;
    const { user: invited, ...invitation } = await withOrganization(options.org, (organizationId, { invitations }) =>
      invitations.invite(operator(), { organizationId, email, name, role }),
    );
    const how = invitation.mailed
      ? `The link is mailed to ${invited.email}.`
      : 'Send the link to the user: it is not mailed and not shown again.';
    print(options, { ...invited, ...invitation }, [line(invited), invitation.link, how]);
  });

  organizationCommand(user, 'list', 'List the users of an organization.').action(async (options: OrgOption) => {
    const all = await withOrganization(options.org, (id, { users }) => users.list(id));
    printList(options, all, all, {
      ...columns('id', 'role', 'status'),
      'second factor': ({ totp, passkeys }) => (totp || passkeys > 0 ? 'yes' : 'no'),
      ...columns('email', 'name'),
    });
  });

  jsonCommand(user, 'remove <id>', 'Remove a user at once. The address can be used again.').action(
    async (id: string, options: JsonOption) => printUser(options, await withServices(({ users }) => users.remove(operator(), id))),
  );

  jsonCommand(user, 'sign-out <id>', 'End all sessions of a user at once, and links that would sign them in.').action(
    async (id: string, options: JsonOption) => printUser(options, await withServices(({ users }) => users.endSessions(operator(), id))),
  );

  jsonCommand(user, 'role <id>', 'Change the role of a user. It takes effect at once.')
    .requiredOption('--role <role>', USER_ROLES.join(', '), oneOf(USER_ROLES))
    .action(async (id: string, options: { role: UserRole; json?: boolean }) =>
      printUser(options, await withServices(({ users }) => users.changeRole(operator(), id, options.role))),
    );

  addLink(user);
  addTotp(user);
}

function addLink(user: Command): void {
  jsonCommand(user, 'link <email>', 'Make a link that signs the user in to the console once, within half an hour.')
    .option('--org <org>', 'slug of the organization, if the user belongs to several')
    .action(async (email: string, options: { org?: string; json?: boolean }) => {
      const issued = await withServices(async ({ users, signInLinks }) => {
        const [found, ...others] = await users.withEmail(email, options.org);
        if (!found) throw new StartError(`There is no active user ${email}.`);
        if (others.length > 0) throw new StartError(`${email} belongs to several organizations: name one with --org.`);
        return signInLinks.make(operator(), found);
      });
      print(options, issued, [issued.link, `It works once, until ${issued.expiresAt}.`]);
    });
}

function withNewUser(command: Command): Command {
  return ofOrganization(withJson(command))
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .requiredOption('--role <role>', USER_ROLES.join(', '), oneOf(USER_ROLES))
    .option('--name <name>', 'name of the user; default: the part of the address before the @');
}

function addTotp(user: Command): void {
  jsonCommand(user, 'totp <id>', 'Require a one-time code at sign-in. The secret for the app is shown once.')
    .option('--off', 'turn the second factor off: the app, recovery codes and passkeys')
    .action(async (id: string, options: { off?: boolean; json?: boolean }) => {
      if (options.off) return printUser(options, await withServices(({ accounts }) => accounts.disableTotp(operator(), id)));
      const { user: changed, secret, uri } = await withServices(({ accounts }) => accounts.enableTotp(operator(), id));
      print(options, { ...changed, secret, uri }, [line(changed), uri, secret, 'Store it now: the secret is not shown again.']);
    });
}
