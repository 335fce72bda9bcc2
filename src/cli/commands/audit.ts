import { InvalidArgumentError, type Command } from 'commander';
import type { ChainHead } from '../../modules/audit/index.js';
import { organizationCommand, type OrgOption, print, withOrganization } from '../command.js';

/** Parses `1042:9f86d0…`, the format that verify prints. */
function head(value: string): ChainHead {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value);
  if (!match) throw new InvalidArgumentError('must be a sequence and a hash as an earlier verify printed them, such as 1042:9f86d0…');
  return { sequence: Number(match[1]), hash: match[2]! };
}

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('Verify the audit log.');

  organizationCommand(
    audit,
    'verify',
    "Recompute the hash chain of an organization's audit log. Exits with 1 if a row was changed after it was sealed.",
  )
    .option('--head <sequence:hash>', 'head that an earlier verify printed: proves that no row up to it was removed or replaced', head)
    .action(async (options: OrgOption & { head?: ChainHead }) => {
      const verified = await withOrganization(options.org, (id, { audit: log }) => log.verify(id, options.head));
      const { rows, head: last, fault } = verified;
      const found = fault ? `bad   ${fault.message}` : 'ok';
      print(options, { rows, head: last, ok: fault === null, fault }, [`rows  ${rows}`, `head  ${last.sequence}:${last.hash}`, found]);
      if (fault) process.exitCode = 1;
    });
}
