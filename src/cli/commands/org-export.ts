import type { Command } from 'commander';
import { OPERATOR } from '../../kernel/context.js';
import { print, withJson } from '../options.js';
import { withServices } from '../command-context.js';
import { writeWholeFile } from '../write-whole-file.js';

export function addOrgExport(org: Command): void {
  withJson(org.command('export <org>').description('Save everything that an organization has, except secrets, as lines of JSON.'))
    .requiredOption('--out <file>', 'path to write the file to')
    .action(async (named: string, { out, json }: { out: string; json?: boolean }) => {
      const exported = await withServices(async ({ organizations, exports }) => {
        const { id } = await organizations.named(named);
        return { id, file: out, bytes: await writeWholeFile(out, exports.export(OPERATOR, id)) };
      });
      print({ json }, exported, [`${out}  ${exported.bytes} bytes`]);
    });
}
