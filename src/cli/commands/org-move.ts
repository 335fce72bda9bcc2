import type { Command } from 'commander';
import { StartError } from '../../kernel/settings/settings.js';
import { contentOf, jsonCommand, type JsonOption, operator, print, withOrganization, withServices } from '../command.js';
import { writeWholeFile } from '../write-whole-file.js';

type Paths = JsonOption & Readonly<Record<'out' | 'key' | 'to' | 'in', string>>;
const KEY = ['--key <file>', 'path of the key, which `claims org move key` has made'] as const;

/** From one installation to another, such as from one cell to the next (docs/cells.md). */
export function addOrgMove(org: Command): void {
  const move = org.command('move').description('Move an organization to another installation, in steps that can be repeated.');

  jsonCommand(move, 'key', 'Make the key of a move, where the organization goes to. It is for both installations alone.')
    .requiredOption('--out <file>', 'path to write the key to')
    .action(async ({ out, json }: Paths) => {
      const { makeMoveKey } = await import('../../modules/organization-data/index.js');
      await writeWholeFile(out, [makeMoveKey()]);
      print({ json }, { file: out }, [`${out}  Give it to the other installation in a safe way, and delete it after the move.`]);
    });

  jsonCommand(move, 'export <org>', 'Close an organization, wait for what is under way, and write all that it has, encrypted.')
    .requiredOption('--out <file>', 'path to write the archive to')
    .requiredOption(...KEY)
    .requiredOption('--to <address>', 'address of the other installation, for the audit log')
    .action(async (named: string, { out, key, to, json }: Paths) => {
      const bytes = await withOrganization(named, (id, { movesOut, readMoveKey }) =>
        writeWholeFile(out, movesOut.export(operator(), id, to, readMoveKey(contentOf(key).toString()))),
      );
      print({ json }, { file: out, bytes }, [`${out}  ${bytes} bytes`, 'It is closed here until `claims org move done` or `abort`.']);
    });

  jsonCommand(move, 'import', 'Take in an organization that another installation has exported: all of it, or nothing.')
    .requiredOption('--in <file>', 'path of the archive')
    .requiredOption(...KEY)
    .action(async ({ in: archive, key, json }: Paths) => {
      const moved = await withServices(({ movesIn, readMoveKey }) =>
        movesIn.import(operator(), archive, readMoveKey(contentOf(key).toString())),
      );
      const { organizationId, slug, rows, auditHead } = moved;
      print({ json }, moved, [`${organizationId}  ${slug}  ${rows} rows  audit log ${auditHead.sequence}:${auditHead.hash}`]);
    });

  jsonCommand(move, 'done <org>', 'Say that it was imported: its callers are told that it moved. Then it can be erased here.').action(
    (named: string, options: JsonOption) => end(named, options, 'finish'),
  );
  jsonCommand(move, 'abort <org>', 'Open the organization again, if it was not imported.')
    .requiredOption('--confirm <id>', 'id of the organization: it was not imported anywhere')
    .action((named: string, options: JsonOption & { confirm: string }) => end(named, options, 'abort'));
}

async function end(named: string, { confirm, json }: JsonOption & { confirm?: string }, step: 'finish' | 'abort'): Promise<void> {
  const id = await withOrganization(named, async (found, { moves }) => {
    if (step === 'abort' && confirm !== found) throw new StartError(`Nothing was changed: the confirmation is not the id, ${found}.`);
    await moves[step](operator(), found);
    return found;
  });
  print({ json }, { id }, [`${id}  ${step === 'finish' ? 'moved' : 'active'}`]);
}
