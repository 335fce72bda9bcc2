import { type Command, InvalidArgumentError } from 'commander';
import { parseEncryptionKeys } from '../../kernel/settings/encryption-keys.js';
import { contentOf, jsonCommand, type JsonOption, operator, print, withOrganization, withServices } from '../command.js';
import { writeWholeFile } from '../write-whole-file.js';

const KEY = ['--key <file>', 'path of the key of the move: 32 random bytes in base64', readKey] as const;

function readKey(path: string): Buffer {
  const text = contentOf(path).toString('utf8').trim();
  try {
    return parseEncryptionKeys(text)[0]!;
  } catch (error) {
    throw new InvalidArgumentError(`${path} ${(error as Error).message}.`);
  }
}

/** From one installation to another, such as from one cell to the next (docs/cells.md). */
export function addOrgMove(org: Command): void {
  const move = org.command('move').description('Move an organization to another installation, in steps that can be repeated.');

  jsonCommand(move, 'export <org>', 'Close an organization, wait for what is under way, and write all that it has, encrypted.')
    .requiredOption('--out <file>', 'path to write the archive to')
    .requiredOption(...KEY)
    .requiredOption('--to <address>', 'address of the other installation, for the audit log')
    .action(async (named: string, { out, key, to, json }: JsonOption & { out: string; key: Buffer; to: string }) => {
      const bytes = await withOrganization(named, (id, { movesOut }) => writeWholeFile(out, movesOut.export(operator(), id, to, key)));
      print({ json }, { file: out, bytes }, [`${out}  ${bytes} bytes`, 'It is closed here until `claims org move done` or `abort`.']);
    });

  jsonCommand(move, 'import', 'Take in an organization that another installation has exported: all of it, or nothing.')
    .requiredOption('--in <file>', 'path of the archive')
    .requiredOption(...KEY)
    .action(async ({ in: archive, key, json }: JsonOption & { in: string; key: Buffer }) => {
      const moved = await withServices(({ movesIn }) => movesIn.import(operator(), archive, key));
      const { organizationId, slug, rows, auditHead } = moved;
      print({ json }, moved, [`${organizationId}  ${slug}  ${rows} rows  audit log ${auditHead.sequence}:${auditHead.hash}`]);
    });

  jsonCommand(move, 'done <org>', 'Say that it was imported: its callers are told that it moved. Then it can be erased here.').action(
    (named: string, options: JsonOption) => end(named, options, 'finish'),
  );
  jsonCommand(move, 'abort <org>', 'Open the organization again, if it was not imported.')
    .requiredOption('--not-imported', 'you know that no other installation has it: two that have it would both go on')
    .action((named: string, options: JsonOption) => end(named, options, 'abort'));
}

async function end(named: string, { json }: JsonOption, step: 'finish' | 'abort'): Promise<void> {
  const id = await withOrganization(named, (found, { moves }) => moves.take(operator(), found, step).then(() => found));
  print({ json }, { id }, [`${id}  ${step === 'finish' ? 'moved' : 'active'}`]);
}
