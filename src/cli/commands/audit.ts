import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { pick } from '../../kernel/changes.js';
import type { ChainHead, DestinationKind } from '../../modules/audit/index.js';
import { jsonCommand, type JsonOption, type OrgOption, oneOf, operator, organizationCommand, print, withOrganization } from '../command.js';
import { withServices } from '../command.js';
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

/** Of one organization, or of all, one after the other. */
function ofEachLog<Found>({ org, all }: LogOptions, command: Command, look: (services: Services, id: string) => Promise<Found>) {
  return withServices(async (services) => {
    const { organizations } = services;
    if (org === undefined && !all) command.error("error: required option '--org <org>' not specified, nor --all");
    const found: ({ organization: string } & Found)[] = [];
    for (const { id, slug } of org === undefined ? await organizations.all() : [await organizations.named(org)])
      found.push({ organization: slug, ...(await look(services, id)) });
    return found;
  });
}

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('The audit log: list, verify, checkpoint, prove, witness, stream.');
  addQuestion(audit, 'list', 'The newest 50 entries of an organization, without names, addresses and changes.', 'audit');
  addVerify(audit);
  addProofs(audit);
  addWitnesses(audit);
  addDestinations(audit);
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
      const found = await ofEachLog(options, command, async ({ audit: logs }, id) => {
        const { rows, head: last, fault, checkpoints, witnessed } = await logs.verify(id, known, note);
        return { rows, head: last, checkpoints, witnessed, ok: fault === null, fault };
      });
      const lines = found.flatMap(({ organization, rows, head: last, fault, checkpoints, witnessed }) => [
        ...(options.all ? [`org   ${organization}`] : []),
        ...[`rows  ${rows}`, `head  ${last.sequence}:${last.hash}`],
        ...(checkpoints > 0 ? [`agree ${checkpoints} signed checkpoints`] : []),
        ...witnessed.map(({ witness, rows: seen, at }) => `seen  ${seen} of ${rows} rows are those that ${witness} cosigned at ${at}`),
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
      const found = await ofEachLog(options, command, async ({ checkpoints }, id) => pick(await checkpoints.current(id), ['size', 'note']));
      const notes = found.map(({ note }) => note).join('\n');
      print(options, found, [notes.trimEnd()]);
    });

  jsonCommand(audit, 'prove', 'Prove that an event is in the audit log: the event, a signed checkpoint and the hashes between the two.')
    .requiredOption('--org <org>', 'organization: id or slug')
    .requiredOption('--event <id>', 'id of the event')
    .action(async ({ org, event: id, ...options }: OrgOption & { event: string }) => {
      const proof = await withOrganization(org, (organizationId, { checkpoints }) =>
        checkpoints.prove({ organizationId, environment: 'live' }, id),
      );
      print(options, proof, [JSON.stringify(proof, null, 2)]);
    });
}

interface WitnessOptions extends OrgOption {
  key: string;
  url: string;
}

function addWitnesses(audit: Command): void {
  const witness = audit.command('witness').description('Others who sign the checkpoints of an audit log (C2SP tlog-witness).');
  organizationCommand(witness, 'list', 'Who signs, and the newest checkpoint that each has signed.').action(
    async ({ org, ...options }: WitnessOptions) => {
      const found = await withOrganization(org, (id, { witnesses }) => witnesses.ofOrganization(id));
      const lines = found.map(({ verifierKey, url, size, cosignedAt, failure }) =>
        [verifierKey, url, cosignedAt === null ? 'nothing yet' : `${size} rows at ${cosignedAt}`, failure ?? ''].join('  ').trimEnd(),
      );
      print(options, found, lines);
    },
  );
  jsonCommand(witness, 'add', 'Ask somebody else to sign each checkpoint, too. They sign only what continues what they have signed before.')
    .requiredOption('--org <org>', 'organization: id or slug')
    .requiredOption('--key <key>', 'their verifier key: name+id+key')
    .requiredOption('--url <url>', 'where they take checkpoints')
    .action(async ({ org, key, url, ...options }: WitnessOptions) => {
      await withOrganization(org, (id, { witnesses }) => witnesses.add(operator(), id, key, url));
      print(options, { key, url }, ['They are asked within a minute after each checkpoint.']);
    });
  organizationCommand(witness, 'remove', 'Ask them no more. What they have signed stays theirs.')
    .requiredOption('--key <key>', 'their verifier key')
    .action(async ({ org, key, ...options }: WitnessOptions) => {
      await withOrganization(org, (id, { witnesses }) => witnesses.remove(operator(), id, key));
      print(options, { key }, ['They are asked no more.']);
    });
}

interface DestinationOptions extends OrgOption {
  kind: DestinationKind;
  url: string;
  name: string;
  region?: string | null;
  secretStdin: true;
  id: string;
}

function addDestinations(audit: Command): void {
  const stream = audit.command('stream').description('Log stores of an organization that its audit log is sent to.');
  organizationCommand(stream, 'list', 'Where the log is sent to, and how far each destination has come.').action(
    async ({ org, ...options }: DestinationOptions) => {
      const found = await withOrganization(org, (id, { destinations }) => destinations.ofOrganization(id));
      const lines = found.map(({ id, url, behind, failure }) => [id, url, `${behind} behind`, failure ?? ''].join('  ').trimEnd());
      print(options, found, lines);
    },
  );
  organizationCommand(stream, 'add', 'Send the whole log to a further destination.')
    .addOption(new Option('--kind <kind>', 'https or s3').argParser(oneOf(['https', 's3'])).default('https'))
    .requiredOption('--url <url>', 'address that takes batches; of S3 that of a bucket or a folder in it')
    .requiredOption('--name <name>', 'header that has the token; of S3 the id of the access key')
    .option('--region <region>', 'of S3')
    .requiredOption('--secret-stdin', 'read the token, or the secret key of S3, from standard input')
    .action(async ({ org, kind, url, name, region = null, secretStdin: _given, ...options }: DestinationOptions) => {
      const wanted = { kind, url, name, region, secret: readFileSync(0, 'utf8').trim() };
      const id = await withOrganization(org, (of, { destinations }) => destinations.add(operator(), of, wanted));
      print(options, { id }, [`${id}  It is sent the log within seconds.`]);
    });
  organizationCommand(stream, 'remove', 'Send the log there no more. What was sent stays there.')
    .requiredOption('--id <id>', 'of the destination, as list shows it')
    .action(async ({ org, id, ...options }: DestinationOptions) => {
      await withOrganization(org, (of, { destinations }) => destinations.remove(operator(), of, id));
      print(options, { id }, ['It is sent nothing more.']);
    });
}

const withoutName = <Found extends { organization: string }>({ organization: _named, ...rest }: Found) => rest;
