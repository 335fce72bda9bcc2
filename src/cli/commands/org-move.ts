import type { Command } from 'commander';
import { StartError } from '../../kernel/settings/settings.js';
import type { MovedIn } from '../../modules/organization-data/index.js';
import { contentOf, duration, jsonCommand, type JsonOption, operator, print, withOrganization, withServices } from '../command.js';
import { writeWholeFile } from '../write-whole-file.js';

const WAIT_MS = 600_000;
const KEY_FILE = 'path of the key, which `claims org move key` has made';

interface ExportOptions extends JsonOption {
  readonly out: string;
  readonly key: string;
  readonly to: string;
  readonly wait: number;
}

/** From one installation to another, such as from one cell to the next (docs/cells.md). */
export function addOrgMove(org: Command): void {
  const move = org.command('move').description('Move an organization to another installation, in steps that can be repeated.');

  jsonCommand(move, 'key', 'Make the key of a move, where the organization goes to. Both installations need it, and nobody else.')
    .requiredOption('--out <file>', 'path to write the key to')
    .action(async ({ out, json }: { out: string; json?: boolean }) => {
      const { makeMoveKey } = await import('../../modules/organization-data/index.js');
      await writeWholeFile(out, [makeMoveKey()]);
      print({ json }, { file: out }, [`${out}  give it to the other installation by a safe way, and delete it after the move`]);
    });

  jsonCommand(move, 'export <org>', 'Close an organization, wait for what is under way, and write all that it has, encrypted.')
    .requiredOption('--out <file>', 'path to write the archive to')
    .requiredOption('--key <file>', KEY_FILE)
    .requiredOption('--to <address>', 'address of the other installation, for the audit log')
    .option('--wait <duration>', 'how long to wait for what is under way', duration, WAIT_MS)
    .action(async (named: string, { out, key, to, wait, json }: ExportOptions) => {
      const exported = await withOrganization(named, async (id, { movesOut, readMoveKey }) => {
        const archive = movesOut.export(operator(), id, { to, key: readMoveKey(contentOf(key).toString()), waitMs: wait });
        return { id, file: out, bytes: await writeWholeFile(out, archive) };
      });
      print({ json }, exported, [
        `${out}  ${exported.bytes} bytes`,
        'The organization is closed here until `claims org move done` or `abort`.',
      ]);
    });

  jsonCommand(move, 'import', 'Take in an organization that another installation has exported: all of it, or nothing.')
    .requiredOption('--in <file>', 'path of the archive')
    .requiredOption('--key <file>', KEY_FILE)
    .action(async ({ in: archive, key, json }: { in: string; key: string; json?: boolean }) => {
      const moved = await withServices(({ movesIn, readMoveKey }) =>
        movesIn.import(operator(), archive, readMoveKey(contentOf(key).toString())),
      );
      print({ json }, moved, [lineOf(moved)]);
    });

  addEnds(move);
}

function addEnds(move: Command): void {
  jsonCommand(move, 'done <org>', 'Say that the organization was imported: callers are told that it moved. Then it can be erased.').action(
    async (named: string, options: JsonOption) => {
      const id = await withOrganization(named, async (found, { movesOut }) => movesOut.done(operator(), found).then(() => found));
      print(options, { id, status: 'moved' }, [`${id}  moved`]);
    },
  );

  jsonCommand(move, 'abort <org>', 'Open the organization again, if it was not imported.')
    .requiredOption('--confirm <id>', 'id of the organization: it was not imported anywhere')
    .action(async (named: string, { confirm, json }: { confirm: string; json?: boolean }) => {
      const id = await withOrganization(named, async (found, { movesOut }) => {
        if (confirm !== found) throw new StartError(`Nothing was changed: confirm with --confirm ${found} that it was not imported.`);
        await movesOut.abort(operator(), found);
        return found;
      });
      print({ json }, { id, status: 'active' }, [`${id}  active`]);
    });
}

const lineOf = ({ organizationId, slug, rows, auditHead }: MovedIn): string =>
  `${organizationId}  ${slug}  ${rows} rows, audit log ${auditHead.sequence}:${auditHead.hash}`;
