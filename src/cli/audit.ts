import { InvalidArgumentError, type Command } from 'commander';
import type { ChainHead } from '../modules/audit/index.js';
import { print, withJson } from './options.js';
import { withServices } from './with-services.js';

/** `1042:9f86d0…`, as verify prints it. */
function head(value: string): ChainHead {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value);
  if (!match) throw new InvalidArgumentError('must be a sequence and a hash, such as 1042:9f86d0…, as an earlier verify has printed it');
  return { sequence: Number(match[1]), hash: match[2]! };
}

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('The audit log: verify.');

  withJson(
    audit
      .command('verify')
      .description("Recompute the chain of an organization's audit log; exit 1 at the first row that is not as it was sealed."),
  )
    .requiredOption('--org <org>', 'organization: id or slug')
    .option('--head <sequence:hash>', 'a head that was noted earlier: proves that nothing up to it was cut off or replaced', head)
    .action(async (options: { org: string; head?: ChainHead; json?: boolean }) => {
      const {
        rows,
        head: last,
        fault,
      } = await withServices(async ({ organizations, audit: log }) => {
        const { id } = await organizations.named(options.org);
        return log.verify(id, options.head);
      });
      const found = fault ? `bad   ${fault.message}` : 'ok';
      print(options, { rows, head: last, ok: fault === null, fault }, [`rows  ${rows}`, `head  ${last.sequence}:${last.hash}`, found]);
      if (fault) process.exitCode = 1;
    });
}
