import { writeFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { ClaimReportDto, OutputFormat } from '../modules/reports/index.js';
import { OPERATOR } from '../kernel/context.js';
import { StartError } from '../kernel/start-error.js';
import { oneOf, print, withJson } from './options.js';
import { withServices } from './with-services.js';

/** Named here once more: to read them off the module would load the whole service for a command's help. */
const FORMATS: readonly OutputFormat[] = ['json', 'csv', 'xlsx', 'pdf'];

interface DownloadOptions {
  format: OutputFormat;
  out: string;
  json?: boolean;
}

export function addReport(program: Command): void {
  const report = program.command('report').description('Claim reports: show, cancel, download.');

  withJson(report.command('show <id>').description('Show a run.')).action(async (id: string, options: { json?: boolean }) => {
    show(options, await withServices(({ reports }) => reports.get(id)));
  });

  withJson(report.command('cancel <id>').description('End a run that has not come to its end.')).action(
    async (id: string, options: { json?: boolean }) => {
      show(options, await withServices(({ reports }) => reports.cancel(OPERATOR, id)));
    },
  );

  withJson(report.command('download <id>').description('Write a file of a run that succeeded.'))
    .addOption(new Option('--format <format>', FORMATS.join(', ')).argParser(oneOf(FORMATS)).makeOptionMandatory())
    .requiredOption('--out <file>', 'where to')
    .action(async (id: string, { format, out, json }: DownloadOptions) => {
      const content = await withServices(({ reports }) => reports.file(id, format));
      write(out, content);
      print({ json }, { id, format, file: out, bytes: content.length }, [`${out}  ${content.length} bytes`]);
    });
}

function write(path: string, content: Buffer): void {
  try {
    writeFileSync(path, content);
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
    ...(failure ? [`${failure.code}: ${failure.message}`] : []),
  ]);
}
