import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { BankStatementDto } from '../../modules/statements/index.js';
import { type Environment, OPERATOR } from '../../kernel/context.js';
import { parseEnvironment, print, withJson } from '../options.js';
import type { Services } from '../open-services.js';
import { withServices } from '../command-context.js';
import { readStatementFile } from './read-statement-file.js';
import { addCheck } from './statement-check.js';
import { addLayout, LAYOUT_OPTION, saidLayout } from './statement-layout.js';

const POLL_MS = 250;
const UNSETTLED = ['pending', 'queued', 'running'];

export function addStatement(program: Command): void {
  const statement = program.command('statement').description('Bank statements: import, check, layouts, show, retry, redact file names.');
  addImport(statement);
  addCheck(statement);
  addLayout(statement);
  addRedactNames(statement);

  withJson(statement.command('show <id>').description('Show a statement, without its lines.')).action(
    async (id: string, options: { json?: boolean }) => {
      show(options, await withServices(({ statements }) => statements.get(id)));
    },
  );

  withJson(statement.command('retry <id>').description('Redact a failed statement again.'))
    .option('--wait', 'wait until it is redacted or has failed; exits with 1 if it failed')
    .action(async (id: string, options: { wait?: boolean; json?: boolean }) => {
      const shown = await withServices(async (services) => {
        await services.statements.retry(OPERATOR, id);
        return options.wait ? settled(services, id) : services.statements.get(id);
      });
      show(options, shown);
    });
}

function addRedactNames(statement: Command): void {
  withJson(
    statement
      .command('redact-names')
      .description('Redact the file names of statements that were imported by earlier releases. It can be repeated.'),
  )
    .option('--org <org>', 'organization: id or slug; default: all organizations')
    .action(async (options: { org?: string; json?: boolean }) => {
      const done = await withServices(async ({ organizations, statements }) => {
        const wanted = options.org === undefined ? await organizations.all() : [await organizations.named(options.org)];
        let [checked, changed] = [0, 0];
        for (const { id } of wanted) {
          const names = await statements.redactNames(OPERATOR, id);
          [checked, changed] = [checked + names.checked, changed + names.changed];
        }
        return { checked, changed };
      });
      print(options, done, [`${done.changed} of ${done.checked} file names redacted.`]);
    });
}

interface ImportOptions {
  org: string;
  environment: Environment;
  file?: string;
  layout?: string;
  project?: string;
  redacted?: boolean;
  account?: string;
  currency?: string;
  invert?: boolean;
  wait?: boolean;
  json?: boolean;
}

function addImport(statement: Command): void {
  withJson(
    statement
      .command('import [file]')
      .description('Import a bank statement (CSV, XLSX, PDF, OFX, QIF, MT940, CAMT), or a ZIP archive of several. A worker redacts it.'),
  )
    .requiredOption('--org <org>', 'organization: id or slug')
    .requiredOption('--environment <environment>', 'test or live', parseEnvironment)
    .option('--file <file>', 'the file, if it is not named before the options')
    .option(...LAYOUT_OPTION)
    .option('--project <id>', 'id of its claim project')
    .option('--account <number>', 'account of a file that names none, such as its IBAN')
    .option('--currency <code>', 'currency of the lines that name none, such as EUR', parseCurrency)
    .option('--invert', 'amounts without a sign are money out, as in exports of some cards')
    .option('--redacted', 'the file is already redacted: keep its lines unchanged')
    .option('--wait', 'wait until it is redacted or has failed; exits with 1 if it failed')
    .action(async (named: string | undefined, options: ImportOptions, command: Command) => {
      const fileName = fileOf(named, options, command);
      const file = readStatementFile(fileName);
      const layout = options.layout === undefined ? undefined : saidLayout(options.layout);
      const shown = await withServices(async (services) => {
        const { id: organizationId } = await services.organizations.named(options.org);
        const { environment, project: projectId = null, redacted: isRedacted = false, account, currency, invert: isInverted } = options;
        const imported = await services.statements.importAll(OPERATOR, {
          organizationId,
          environment,
          projectId,
          fileName,
          file,
          isRedacted,
          account,
          layout,
          readingOptions: { currency, isInverted },
        });
        const all: BankStatementDto[] = [];
        for (const { id } of imported) all.push(await (options.wait ? settled(services, id) : services.statements.get(id)));
        return all;
      });
      showAll(options, shown);
    });
}

function fileOf(named: string | undefined, { file }: ImportOptions, command: Command): string {
  const [path, other] = [named, file].filter((one) => one !== undefined);
  if (path === undefined) return command.error("error: the file to import is missing: 'claims statement import FILE'");
  if (other !== undefined) return command.error('error: the file to import is named twice');
  return path;
}

function parseCurrency(value: string): string {
  const code = value.toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code)) throw new InvalidArgumentError('It is not a currency such as EUR.');
  return code;
}

/** Redacts while it waits, because there may be no worker. */
async function settled({ statements }: Services, id: string): Promise<BankStatementDto> {
  for (;;) {
    await statements.redact();
    const shown = await statements.get(id);
    if (!UNSETTLED.includes(shown.redactionStatus)) return shown;
    await delay(POLL_MS);
  }
}

function show(options: { json?: boolean }, statement: BankStatementDto): void {
  print(options, statement, linesOf(statement));
  exitWith([statement]);
}

/** One statement is printed as such; those of an archive are a list. */
function showAll(options: { json?: boolean }, statements: readonly BankStatementDto[]): void {
  const [only, ...others] = statements;
  print(options, only && others.length === 0 ? only : statements, statements.flatMap(linesOf));
  exitWith(statements);
}

function linesOf({ id, redactionStatus, fileName, accountLabel, lineCount, failure, warnings }: BankStatementDto): string[] {
  const facts = [fileName, accountLabel, lineCount === null ? null : `${lineCount} lines`].filter((fact) => fact !== null).join(', ');
  const remarks = [...(failure ? [failure] : []), ...warnings].map(({ code, message }) => `${code}: ${message}`);
  return [`${id}  ${redactionStatus}  ${facts}`, ...remarks];
}

function exitWith(statements: readonly BankStatementDto[]): void {
  if (statements.some(({ redactionStatus }) => redactionStatus === 'failed')) process.exitCode = 1;
}
