import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ClaimReportDto } from '../../modules/reports/index.js';
// Loads no Nest: the help of a command need not wait for the application.
import { OUTPUT_FORMATS, type OutputFormat } from '../../modules/rules/index.js';
import { OPERATOR } from '../../kernel/context.js';
import { StartError } from '../../kernel/start-error.js';
import { print, withJson } from '../options.js';
import { withServices } from '../command-context.js';
import { addDiff } from './report-diff.js';
import { addVerify } from './report-verify.js';

interface DownloadOptions {
  format: string;
  out: string;
  json?: boolean;
}

export function addReport(program: Command): void {
  const report = program.command('report').description('Claim reports: show, cancel, download, diff, verify.');

  withJson(report.command('show <id>').description('Show a report run.')).action(async (id: string, options: { json?: boolean }) => {
    show(options, await withServices(({ reports }) => reports.get(id)));
  });

  withJson(report.command('cancel <id>').description('Cancel a report run that has not finished.')).action(
    async (id: string, options: { json?: boolean }) => {
      show(options, await withServices(({ reports }) => reports.cancel(OPERATOR, id)));
    },
  );

  withJson(report.command('download <id>').description('Save an output file of a succeeded report run.'))
    .requiredOption('--format <format>', `${OUTPUT_FORMATS.join(', ')}, or a format of an extension`)
    .requiredOption('--out <file>', 'path to write the file to')
    .action(async (id: string, { format, out, json }: DownloadOptions) => {
      const content = await withServices(({ reports }) => reports.file(id, formatCalled(format)));
      write(out, content);
      print({ json }, { id, format, file: out, bytes: content.length }, [`${out}  ${content.length} bytes`]);
    });

  addDiff(report);
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

function show(options: { json?: boolean }, report: ClaimReportDto): void {
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
