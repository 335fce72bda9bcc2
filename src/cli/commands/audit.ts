import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ChainHead } from '../../modules/audit/index.js';
import { jsonCommand, type JsonOption, print, withServices } from '../command.js';
import { addQuestion } from './support.js';

/** Parses `1042:9f86d0…`, the format that verify prints. */
function head(value: string): ChainHead {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value);
  if (!match) throw new InvalidArgumentError('must be a sequence and a hash as an earlier verify printed them, such as 1042:9f86d0…');
  return { sequence: Number(match[1]), hash: match[2]! };
}

interface VerifyOptions extends JsonOption {
  org?: string;
  all?: true;
  head?: ChainHead;
}

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('The audit log: list, verify.');
  addQuestion(audit, 'list', 'The newest 50 entries of an organization, without names, addresses and changes.', 'audit');

  jsonCommand(
    audit,
    'verify',
    "Recompute the hash chain of an organization's audit log. Exits with 1 if a row was changed after it was sealed.",
  )
    .option('--org <org>', 'organization: id or slug')
    .addOption(new Option('--all', 'all organizations, one after the other').conflicts(['org', 'head']))
    .option('--head <sequence:hash>', 'head that an earlier verify printed: proves that no row up to it was removed or replaced', head)
    .action(async ({ org, all, head: known, ...options }: VerifyOptions, command: Command) => {
      if (org === undefined && !all) command.error("error: required option '--org <org>' not specified, nor --all");
      const found = await withServices(async ({ organizations, audit: log }) => {
        const verified = [];
        for (const { id, slug } of org === undefined ? await organizations.all() : [await organizations.named(org)]) {
          const { rows, head: last, fault } = await log.verify(id, known);
          verified.push({ organization: slug, rows, head: last, ok: fault === null, fault });
        }
        return verified;
      });
      const lines = found.flatMap(({ organization, rows, head: last, fault }) => [
        ...(all ? [`org   ${organization}`] : []),
        ...[`rows  ${rows}`, `head  ${last.sequence}:${last.hash}`, fault ? `bad   ${fault.message}` : 'ok'],
      ]);
      print(options, all ? found : withoutName(found[0]!), lines);
      if (found.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

const withoutName = <Found extends { organization: string }>({ organization: _named, ...rest }: Found) => rest;
