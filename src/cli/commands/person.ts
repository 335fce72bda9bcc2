import type { Command } from 'commander';
import type { ErasedPerson } from '../../modules/users/index.js';
import { columns, confirmErasing, operator, organizationCommand, type OrgOption, print, printList } from '../command.js';
import { withOrganization } from '../command.js';

const NOT_REACHED =
  'Not reached: backups, exported files, what receivers of webhooks and mails have kept, and files of mails in DATA_DIR/mail. ' +
  'Keep the id: after a backup is restored, erase the person again.';

export function addPerson(program: Command): void {
  const person = program.command('person').description('People who use the service: erase what says who one is.');

  organizationCommand(person, 'erase', 'Erase what says who a user is, for good, also in the audit log. Can be repeated.')
    .requiredOption('--user <user>', 'id of the user, or the e-mail address')
    .option('--plan', 'only show what would become of what is there')
    .option('--confirm <user>', 'the same as --user; without it, the command asks')
    .action(async ({ org, user, plan, confirm, ...options }: OrgOption & { user: string; plan?: true; confirm?: string }) => {
      const erased = await withOrganization(org, async (id, { people }) => {
        const found = await people.find(id, user);
        const question = `This erases what says who ${user} is, for good. Type it again to confirm: `;
        if (!plan) await confirmErasing([user], confirm, question, 'does not name the same user');
        const done: ErasedPerson[] = [];
        for (const one of found) done.push(await (plan ? people.plan(one) : people.erase(operator(), one)));
        return done;
      });
      print(options, erased, [...erased.flatMap((one) => linesOf(one, plan === true)), ...(plan ? [] : [NOT_REACHED])]);
    });

  organizationCommand(person, 'erased', 'List the ids of the people who were erased.').action(async (options: OrgOption) => {
    const all = await withOrganization(options.org, (id, { forgotten }) => forgotten.list(id));
    printList(options, all, all, {
      ...columns('personId'),
      'forgotten at': ({ forgottenAt }) => forgottenAt ?? '',
      'erased at': ({ erasedAt }) => erasedAt ?? '',
    });
  });
}

const linesOf = ({ id, found }: ErasedPerson, isPlan: boolean): string[] => [
  `${id}  ${isPlan ? 'would be erased' : 'erased'}`,
  ...found.map(
    ({ table, becomes, rows, why }) => `${becomes.padEnd(8)} ${String(rows).padStart(6)}  ${table}${why === null ? '' : `: ${why}`}`,
  ),
];
