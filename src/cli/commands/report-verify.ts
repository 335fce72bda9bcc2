import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { OutputOf, PackFinding, VerifiedPack } from '../../modules/reports/index.js';
import { JobFailure } from '../../kernel/failure.js';
import { MOST_FILE_BYTES } from '../../kernel/report-limits.js';
import { StartError } from '../../kernel/start-error.js';
import { print, withJson } from '../options.js';
import { withServices } from '../command-context.js';

interface VerifyOptions {
  offline?: boolean;
  run?: string;
  json?: boolean;
}

/** What the command found. `ok` if nothing differs. */
interface Verification {
  readonly sha256: string;
  readonly run: string | null;
  readonly findings: readonly PackFinding[];
  /** Says what was compared, if nothing differs. */
  readonly sentence: string;
}

export function addVerify(report: Command): void {
  withJson(
    report
      .command('verify <file>')
      .description('Show whether an evidence pack, or another file of a run, is as the service made it. Exits with 1 if not.')
      .addOption(new Option('--offline', 'only compare an evidence pack with its own manifest, without the database').conflicts('run'))
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

async function packVerified(file: string, content: Buffer, { offline }: VerifyOptions): Promise<Verification> {
  const { sha256, manifest, findings } = await verified(file, content);
  if (manifest === null) return { sha256, run: null, findings, sentence: '' };
  const { run, files, statements, claimable, currency } = manifest;
  const what = `${files.length} files, ${statements.length} statements, claim ${claimable} ${currency ?? ''}`.trimEnd();
  if (offline) return { sha256, run, findings, sentence: `${what}, as its manifest says. Not compared with run ${run}.` };
  const outputs = await outputsOf(run);
  const made = outputs?.find(({ format }) => format === 'evidence');
  const all = made?.sha256 === sha256 ? findings : [...findings, differs(run, outputs, sha256, made)];
  return { sha256, run, findings: all, sentence: `${what}, as run ${run} made it.` };
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

/** Compares the hash of a file with those of a run, whatever its format. */
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
