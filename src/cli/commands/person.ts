import type { Command } from 'commander';
import { StartError } from '../../kernel/settings/settings.js';
import type { ErasedPerson } from '../../modules/users/index.js';
import { columns, jsonCommand, type JsonOption, ofOrganization, operator, type OrgOption, print, printList } from '../command.js';
import { typed, withOrganization } from '../command.js';

interface EraseOptions extends OrgOption {
  user: string;
  plan?: true;
  confirm?: string;
}

const NOT_REACHED =
  'Not reached: backups, exported files, what receivers of webhooks and mails have kept, and files of mails in DATA_DIR/mail. ' +
  'Keep the id: after a backup is restored, erase the person again.';

export function addPerson(program: Command): void {
  const person = program.command('person').description('People who use the service: erase what says who one is.');

  ofOrganization(jsonCommand(person, 'erase', 'Erase what says who a user is, for good, also in the audit log. Can be repeated.'))
    .requiredOption('--user <user>', 'id of the user, or the e-mail address')
    .option('--plan', 'only show what would become of what is there')
    .option('--confirm <user>', 'the same as --user; without it, the command asks')
    .action(async ({ org, user, plan, confirm, ...options }: EraseOptions & JsonOption) => {
      const erased = await withOrganization(org, async (id, { people }) => {
        const found = await people.find(id, user);
        if (!plan) requireConfirmed(user, confirm ?? (await ask(user)));
        const done: ErasedPerson[] = [];
        for (const one of found) done.push(await (plan ? people.plan(one) : people.erase(operator(), one)));
        return done;
      });
      print(options, erased, [...erased.flatMap((one) => linesOf(one, plan === true)), ...(plan ? [] : [NOT_REACHED])]);
    });

  ofOrganization(jsonCommand(person, 'erased', 'List the ids of the people who were erased.')).action(async (options: OrgOption) => {
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

const ask = (user: string): Promise<string> =>
  typed(
    `This erases what says who ${user} is, for good. Type it again to confirm: `,
    `Erasing cannot be undone: confirm it with --confirm ${user}.`,
  );

function requireConfirmed(user: string, confirmation: string): void {
  if (confirmation.trim() !== user) throw new StartError('Nothing was erased: the confirmation does not name the same user.');
}
