import { type Command, Option } from 'commander';
import { closeSync, fchmodSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { JobFailure } from '../../kernel/failure.js';
import { MOST_FILE_BYTES } from '../../kernel/report-limits.js';
import { StartError } from '../../kernel/settings/settings.js';
import type { Change, ClaimReportDto, OutputOf, ResultComparison } from '../../modules/reports/index.js';
import type { PackFinding, PackSignature, VerifiedPack } from '../../modules/reports/index.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../../modules/rules/index.js';
import { jsonCommand, type JsonOption, print, withJson, withServices, operator } from '../command.js';
import { addExplain } from './support.js';

function linesOf({ sameInputs, period, currency, totals, categories, statements, warnings }: ResultComparison): string[] {
  if (sameInputs) return ['Both runs have the same inputs, so their results are equal.'];
  return [
    ...differing('period', period),
    ...differing('currency', currency),
    ...Object.entries(totals).map(([name, change]) => `${name}  ${shown(change)}`),
    ...categories.map((category) => `category ${category.code}  ${shown(category)}`),
    ...statements.map(
      ({ id, linesUsed }) => `statement ${id}  lines used: ${linesUsed.from ?? 'not read'} → ${linesUsed.to ?? 'not read'}`,
    ),
    ...warnings.gone.map(({ code, message }) => `- ${code}: ${message}`),
    ...warnings.added.map(({ code, message }) => `+ ${code}: ${message}`),
  ];
}

const differing = (name: string, { from, to }: Omit<Change, 'difference'>): string[] =>
  from === to ? [] : [`${name}  ${from ?? 'none'} → ${to ?? 'none'}`];

function shown({ from, to, difference }: Change): string {
  const signed = difference === null || difference.startsWith('-') ? difference : `+${difference}`;
  return `${from ?? 'none'} → ${to ?? 'none'}${signed === null ? '' : `  (${signed})`}`;
}

const SIGNATURE = 'signature.json';

interface VerifyOptions {
  offline?: boolean;
  key?: string;
  run?: string;
  json?: boolean;
}

interface Verification {
  readonly sha256: string;
  readonly run: string | null;
  readonly findings: readonly PackFinding[];
  /** Of the pack of a final claim, if it fits. */
  readonly signature?: PackSignature;
  /** Says what was compared, if nothing differs. */
  readonly sentence: string;
}

function addVerify(report: Command): void {
  withJson(
    report
      .command('verify <file>')
      .description('Show whether an evidence pack, or another file of a run, is as the service made it. Exits with 1 if not.')
      .addOption(new Option('--offline', 'only compare an evidence pack with its own manifest, without the database').conflicts('run'))
      .addOption(
        new Option('--key <public key>', 'refuse a pack that is not signed with this key, the `publicKey` of its claim closing').conflicts(
          'run',
        ),
      )
      .option('--run <id>', 'compare a file of any format with those of this run'),
  ).action(async (file: string, options: VerifyOptions) => {
    const content = read(file);
    const verification = options.run === undefined ? await packVerified(file, content, options) : await fileVerified(content, options.run);
    const { findings, sentence, ...about } = verification;
    if (findings.length > 0) process.exitCode = 1;
    const ok = findings.length === 0;
    print(options, { ok, ...about, findings }, ok ? [`${file}: ${sentence}`] : findings.map(({ message }) => message));
  });
}

async function packVerified(file: string, content: Buffer, { offline, key }: VerifyOptions): Promise<Verification> {
  const { sha256, manifest, signature, findings: found } = await verified(file, content);
  if (manifest === null) return { sha256, run: null, findings: found, sentence: '' };
  const { run, files, statements, claimable, currency } = manifest;
  const findings = [...found, ...(key === undefined ? [] : keyFindings(signature, key))];
  const counted = `${files.length} files, ${statements.length} statements, claim ${claimable} ${currency ?? ''}`.trimEnd();
  const about = { sha256, run, ...(signature && { signature }) };
  const what = signature ? `${counted}, ${signedBy(signature)}` : counted;
  if (offline) return { ...about, findings, sentence: `${what}, as its manifest says. Not compared with run ${run}.` };
  const outputs = await outputsOf(run);
  const made = outputs?.find(({ format }) => format === 'evidence');
  const all = made?.sha256 === sha256 ? findings : [...findings, differs(run, outputs, sha256, made)];
  return { ...about, findings: all, sentence: `${what}, as run ${run} made it.` };
}

const signedBy = ({ keyId, claim }: PackSignature): string =>
  `signed by ${claim.organization.name} with key ${keyId}, final, version ${claim.version}`;

/** Anyone can make a key and sign: that it is the key of the organization, only a comparison shows. */
function keyFindings(signature: PackSignature | null, key: string): PackFinding[] {
  if (signature === null) return [{ path: SIGNATURE, message: 'The pack has no signature that fits.' }];
  if (signature.publicKey === key.trim()) return [];
  return [{ path: SIGNATURE, message: `The pack is signed with another key: ${signature.publicKey} (${signature.keyId}).` }];
}

async function verified(file: string, content: Buffer): Promise<VerifiedPack> {
  const { verifyPack } = await import('../../modules/reports/index.js');
  try {
    return verifyPack(content);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    throw new StartError(`${file} cannot be verified as an evidence pack. ${error.message} Compare any other file with its run: --run ID.`);
  }
}

async function fileVerified(content: Buffer, run: string): Promise<Verification> {
  const { sha256Of } = await import('../../modules/reports/index.js');
  const sha256 = sha256Of(content);
  const outputs = await outputsOf(run);
  const made = outputs?.find((output) => output.sha256 === sha256);
  return { sha256, run, findings: made ? [] : [differs(run, outputs, sha256)], sentence: `the ${made?.format} file of run ${run}.` };
}

const outputsOf = (run: string): Promise<readonly OutputOf[] | null> => withServices(({ reports }) => reports.outputs(run));

function differs(run: string, outputs: readonly OutputOf[] | null, sha256: string, made?: OutputOf): PackFinding {
  const why =
    outputs === null
      ? `The database has no result of run ${run}`
      : made
        ? `This is not the pack that run ${run} made: its SHA-256 is ${sha256} and the run says ${made.sha256}`
        : `Run ${run} made no such file: its SHA-256 is ${sha256}`;
  return { path: '', message: `${why}.` };
}

function read(path: string): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const about = fstatSync(file);
      if (!about.isFile()) throw new StartError(`${path} is no file.`);
      if (about.size > MOST_FILE_BYTES) throw new StartError(`${path} is larger than any file of a run, ${MOST_FILE_BYTES} bytes.`);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path} cannot be read (${(error as { code?: string }).code}).`);
  }
}

// Loads no Nest: the help of a command need not wait for the application.
export function addReport(program: Command): void {
  const report = program.command('report').description('Claim reports: show, explain, cancel, download, diff, verify.');
  addExplain(report, 'explain', 'What is known of how a run is made: queue, workers, failure, progress.', 'run');

  jsonCommand(report, 'show <id>', 'Show a report run.').action(async (id: string, options: JsonOption) => {
    show(options, await withServices(({ reports }) => reports.get(id)));
  });

  jsonCommand(report, 'cancel <id>', 'Cancel a report run that has not finished.').action(async (id: string, options: JsonOption) => {
    show(options, await withServices(({ reports }) => reports.cancel(operator(), id)));
  });

  jsonCommand(report, 'download <id>', 'Save an output file of a succeeded report run.')
    .requiredOption('--format <format>', `${OUTPUT_FORMATS.join(', ')}, or a format of an extension`)
    .requiredOption('--out <file>', 'path to write the file to')
    .action(async (id: string, { format, out, json }: { format: string; out: string; json?: boolean }) => {
      const content = await withServices(({ reports }) => reports.file(id, formatCalled(format)));
      write(out, content);
      print({ json }, { id, format, file: out, bytes: content.length }, [`${out}  ${content.length} bytes`]);
    });

  jsonCommand(report, 'diff <first> <second>', 'Show what is different in the second of two succeeded report runs.').action(
    async (first: string, second: string, options: JsonOption) => {
      const comparison = await withServices(({ reports }) => reports.compare(first, second));
      print(options, comparison, linesOf(comparison));
    },
  );
  addVerify(report);
}

/** Those of extensions are known when the services are. */
function formatCalled(name: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((known) => known === name);
  if (format === undefined) throw new StartError(`--format must be one of ${OUTPUT_FORMATS.join(', ')}.`);
  return format;
}

function write(path: string, content: Buffer): void {
  try {
    // It has amounts and texts of bank statements, so nobody else may read it, also if the file exists already.
    const file = openSync(path, 'w', 0o600);
    if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
    writeFileSync(file, content);
    closeSync(file);
  } catch (error) {
    throw new StartError(`${path} cannot be written (${(error as { code?: string }).code}).`);
  }
}

function show(options: JsonOption, report: ClaimReportDto): void {
  const { id, status, queuedAt, finishedAt, result, failure } = report;
  const outcome = result
    ? [`claimable ${result.totals.claimable} ${result.currency ?? ''} of ${result.totals.net}, ${result.totals.count} lines`]
    : [];
  print(options, report, [
    `${id}  ${status}  queued ${queuedAt}${finishedAt ? `, finished ${finishedAt}` : ''}`,
    ...outcome,
    ...[...(failure ? [failure] : []), ...(result?.warnings ?? [])].map(({ code, message }) => `${code}: ${message}`),
  ]);
}
