import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ChainHead } from '../../modules/audit/index.js';
import { jsonCommand, type JsonOption, print, withServices } from '../command.js';
import type { Services } from '../open-services.js';
import { addQuestion } from './support.js';

/** Parses `1042:9f86d0…`, the format that verify prints. */
function head(value: string): ChainHead {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value);
  if (!match) throw new InvalidArgumentError('must be a sequence and a hash as an earlier verify printed them, such as 1042:9f86d0…');
  return { sequence: Number(match[1]), hash: match[2]! };
}

interface LogOptions extends JsonOption {
  org?: string;
  all?: true;
}

interface VerifyOptions extends LogOptions {
  head?: ChainHead;
  checkpoint?: string;
}

/** Of one organization, or of all. */
async function logsNamed({ organizations }: Services, { org, all }: LogOptions, command: Command) {
  if (org === undefined && !all) command.error("error: required option '--org <org>' not specified, nor --all");
  return org === undefined ? organizations.all() : [await organizations.named(org)];
}

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('The audit log: list, verify, checkpoint, prove.');
  addQuestion(audit, 'list', 'The newest 50 entries of an organization, without names, addresses and changes.', 'audit');
  addVerify(audit);
  addProofs(audit);
}

function addVerify(audit: Command): void {
  jsonCommand(
    audit,
    'verify',
    'Recompute an audit log and compare it with its signed checkpoints. Exits with 1 if a row was changed after it was sealed.',
  )
    .option('--org <org>', 'organization: id or slug')
    .addOption(new Option('--all', 'all organizations, one after the other').conflicts(['org', 'head', 'checkpoint']))
    .option('--head <sequence:hash>', 'head that an earlier verify printed: proves that no row up to it was removed or replaced', head)
    .option('--checkpoint <file>', 'checkpoint that was kept elsewhere: proves the same, and who has signed it')
    .action(async ({ head: known, checkpoint, ...options }: VerifyOptions, command: Command) => {
      const note = checkpoint === undefined ? undefined : await readFile(checkpoint, 'utf8');
      const found = await withServices(async (services) => {
        const verified = [];
        for (const { id, slug } of await logsNamed(services, options, command)) {
          const { rows, head: last, fault, checkpoints } = await services.audit.verify(id, known, note);
          verified.push({ organization: slug, rows, head: last, checkpoints, ok: fault === null, fault });
        }
        return verified;
      });
      const lines = found.flatMap(({ organization, rows, head: last, fault, checkpoints }) => [
        ...(options.all ? [`org   ${organization}`] : []),
        ...[`rows  ${rows}`, `head  ${last.sequence}:${last.hash}`],
        ...(checkpoints > 0 ? [`agree ${checkpoints} signed checkpoints`] : []),
        fault ? `bad   ${fault.message}` : 'ok',
      ]);
      print(options, options.all ? found : withoutName(found[0]!), lines);
      if (found.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

function addProofs(audit: Command): void {
  jsonCommand(
    audit,
    'checkpoint',
    'Sign what the audit log has now, to be kept where those who can change the database can change nothing.',
  )
    .option('--org <org>', 'organization: id or slug')
    .addOption(new Option('--all', 'all organizations, one after the other').conflicts(['org']))
    .action(async (options: LogOptions, command: Command) => {
      const found = await withServices(async (services) => {
        const signed = [];
        for (const { id, slug } of await logsNamed(services, options, command)) {
          const { size, note } = await services.checkpoints.current(id);
          signed.push({ organization: slug, size, note });
        }
        return signed;
      });
      print(options, found, [
        found
          .map(({ note }) => note)
          .join('\n')
          .trimEnd(),
      ]);
    });

  jsonCommand(audit, 'prove', 'Prove that an event is in the audit log: the event, a signed checkpoint and the hashes between the two.')
    .requiredOption('--org <org>', 'organization: id or slug')
    .requiredOption('--event <id>', 'id of the event')
    .action(async ({ org, event: id, ...options }: JsonOption & { org: string; event: string }) => {
      const proof = await withServices(async ({ organizations, checkpoints }) => {
        const { id: organizationId } = await organizations.named(org);
        return checkpoints.prove({ organizationId, environment: 'live' }, id);
      });
      print(options, proof, [JSON.stringify(proof, null, 2)]);
    });
}

const withoutName = <Found extends { organization: string }>({ organization: _named, ...rest }: Found) => rest;
