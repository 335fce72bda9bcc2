import { type Command, InvalidArgumentError } from 'commander';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../../kernel/context.js';
import { pick } from '../../kernel/changes.js';
import { JobFailure } from '../../kernel/failure.js';
import { StartError } from '../../kernel/settings/settings.js';
import { isCalendarDate } from '../../kernel/time.js';
import type { BankStatementDto, CheckedStatement, ReadingOptions } from '../../modules/statements/index.js';
import type { SaidLayout, StatementLayout, UsedLayout, WrittenLayout } from '../../modules/statements/index.js';
import { loadExtensions } from '../../program/extensions/load-extensions.js';
import { contentOf, inEnvironments, inOneOrBoth, jsonCommand, type JsonOption, organizationCommand, type OrgOption } from '../command.js';
import { addExplain } from './support.js';
import { parseEnvironment, print, withJson, withOrganization, withServices, operator } from '../command.js';
import type { Services } from '../open-services.js';

interface LayoutOptions extends OrgOption {
  environment?: Environment;
}

const LAYOUT_OPTION = ['--layout <layout>', 'how its tables are read: a JSON file, or the name of a layout'] as const;

/** Names of layouts never end with `.json`. */
const saidLayout = (value: string): SaidLayout => (value.endsWith('.json') ? { text: contentOf(value).toString('utf8') } : { name: value });

/** For a command that opens no database, and so knows no layout that an organization has kept. */
async function layoutWithoutOrganization(said: SaidLayout): Promise<WrittenLayout> {
  const { parseLayout, shippedByName } = await import('../../modules/statements/index.js');
  if ('text' in said) return parseLayout(said.text);
  const layout = shippedByName(said.name);
  if (layout) return layout;
  const advice = '`claims statement layout list` lists them; those of an organization need --org.';
  throw new StartError(`--layout “${said.name}” is neither a .json file nor a shipped layout: ${advice}`);
}

function addLayout(statement: Command): void {
  const layout = statement.command('layout').description('How tables of bank statements are read: the layouts of an organization.');

  chosen(layout.command('add <file>').description('Keep the layout in a JSON file, in place of one for the same header or of its name.'))
    .requiredOption(...ORG)
    .action((file: string, options: LayoutOptions) => {
      const text = contentOf(file).toString('utf8');
      return showLayouts(options, (tenant, { statementLayouts }) => statementLayouts.keep(operator(), tenant, text));
    });

  chosen(layout.command('remove <name>').description('Remove a layout. Later files are read as if it had not been kept.'))
    .requiredOption(...ORG)
    .action((name: string, options: LayoutOptions) =>
      showLayouts(options, (tenant, { statementLayouts }) => statementLayouts.remove(operator(), tenant, name)),
    );

  chosen(layout.command('list').description('List the layouts of an organization; without one, those of banks that are shipped.'))
    .option(...ORG)
    .action((options: Partial<LayoutOptions>) =>
      options.org === undefined
        ? listShipped(options)
        : showLayouts({ ...options, org: options.org }, (tenant, { statementLayouts }) => statementLayouts.all(tenant)),
    );

  jsonCommand(layout, 'draft <file>', 'Write a layout for a table that is not read, and say what of it is guessed.')
    .option('--name <name>', 'what the layout is called', 'My bank')
    .action(draft);
}

/** The layout is all of the output, so it can be written into a file; what is to be looked at is said beside it. */
async function draft(path: string, { name, json }: { name: string; json?: boolean }): Promise<void> {
  const { checkStatement, draftLayout } = await import('../../modules/statements/index.js');
  const file = contentOf(path);
  const drafted = await draftLayout(Readable.from([file]), name).catch((error: unknown) => {
    throw error instanceof JobFailure ? new StartError(`${error.code}: ${error.message}`) : error;
  });
  const checked = await checkStatement(file, basename(path), { today: new Date().toISOString().slice(0, 10), layout: drafted.layout });
  const read = 'failure' in checked ? `not read: ${checked.failure.message}` : `${checked.lines} lines are read, ${checked.certainty}`;
  print({ json }, { ...drafted, read }, [JSON.stringify(drafted.layout, null, 2)]);
  if (!json) console.error([...drafted.guesses.map((guess) => `guessed: ${guess}`), `with it: ${read}`].join('\n'));
}

const ORG = ['--org <org>', 'organization: id or slug'] as const;

const chosen = (command: Command): Command => inOneOrBoth(withJson(command));

async function showLayouts(options: LayoutOptions, of: Parameters<typeof inEnvironments<StatementLayout>>[1]): Promise<void> {
  const all = (await inEnvironments(options, of)).map((one) => pick(one, ['environment', 'name', 'fingerprint', 'layout', 'createdAt']));
  const lineOf = ({ environment, name, layout, createdAt }: (typeof all)[number]): string =>
    `${environment.padEnd(4)}  ${createdAt}  ${name}: ${columnsOf(layout)}`;
  print(options, all, all.map(lineOf));
}

async function listShipped(options: JsonOption): Promise<void> {
  const { SHIPPED } = await import('../../modules/statements/index.js');
  const lines = SHIPPED.map((layout) => `${layout.name}: ${columnsOf(layout)}`);
  print(options, SHIPPED, lines);
}

const columnsOf = ({ width, columns }: WrittenLayout): string =>
  width === undefined ? Object.keys(columns).join(', ') : `${width} columns without a header, used only if it is named`;

const FROM: Readonly<Record<UsedLayout['from'], string>> = {
  import: 'named at the import',
  organization: 'kept by the organization',
  shipped: 'shipped',
};

const usedLine = (layout: UsedLayout | null): string[] => (layout ? [`layout ${layout.name}, ${FROM[layout.from]}`] : []);

const POLL_MS = 250;
const UNSETTLED = ['pending', 'queued', 'running'];

export function addStatement(program: Command): void {
  const statement = program.command('statement').description('Bank statements: import, check, layouts, show, explain, retry.');
  addExplain(statement, 'explain', 'What is known of how a statement is read: queue, workers, failure, warnings.', 'statement');
  addImport(statement);
  addCheck(statement);
  addLayout(statement);

  jsonCommand(statement, 'show <id>', 'Show a statement, without its lines.').action(async (id: string, options: JsonOption) => {
    show(options, await withServices((services) => findRecord(services, id)));
  });

  jsonCommand(statement, 'retry <id>', 'Redact a failed statement again.')
    .option('--wait', 'wait until it is redacted or has failed; exits with 1 if it failed')
    .action(async (id: string, options: { wait?: boolean; json?: boolean }) => {
      const shown = await withServices(async (services) => {
        await services.statements.retry(operator(), id);
        return options.wait ? settled(services, id) : findRecord(services, id);
      });
      show(options, shown);
    });
}

type Days = NonNullable<ReadingOptions['period']>;

interface ImportOptions extends OrgOption {
  environment: Environment;
  file?: string;
  layout?: string;
  project?: string;
  redacted?: boolean;
  account?: string;
  currency?: string;
  period?: Days;
  invert?: boolean;
  wait?: boolean;
}

function addImport(statement: Command): void {
  organizationCommand(
    statement,
    'import [file]',
    'Import a bank statement (CSV, XLSX, PDF, OFX, QIF, MT940, CAMT, CODA, BAI2, Norma 43), or a ZIP of several. A worker redacts it.',
  )
    .requiredOption('--environment <environment>', 'test or live', parseEnvironment)
    .option('--file <file>', 'the file, if it is not named before the options')
    .option(...LAYOUT_OPTION)
    .option('--project <id>', 'id of its claim project')
    .option('--account <number>', 'account of a file that names none, such as its IBAN')
    .option('--currency <code>', 'currency of the lines that name none, such as EUR', parseCurrency)
    .option('--period <days>', 'first and last day of a file that states none, such as 2026-06-01..2026-06-30', parsePeriod)
    .option('--invert', 'amounts without a sign are money out, as in exports of some cards')
    .option('--redacted', 'the file is already redacted: keep its lines unchanged')
    .option('--wait', 'wait until it is redacted or has failed; exits with 1 if it failed')
    .action(async (named: string | undefined, options: ImportOptions, command: Command) => {
      const fileName = fileOf(named, options, command);
      const file = contentOf(fileName);
      const layout = options.layout === undefined ? undefined : saidLayout(options.layout);
      const shown = await withOrganization(options.org, async (organizationId, services) => {
        const { environment, project: projectId = null, redacted: isRedacted = false } = options;
        const { account, currency, period, invert: isInverted } = options;
        const given = { fileName, file, isRedacted, account, layout, readingOptions: { currency, period, isInverted } };
        const imported = await services.statements.importAll(operator(), { organizationId, environment, projectId, ...given });
        const all: BankStatementDto[] = [];
        for (const { id } of imported) all.push(await (options.wait ? settled(services, id) : findRecord(services, id)));
        return all;
      });
      show(options, ...shown);
    });
}

function fileOf(named: string | undefined, { file }: ImportOptions, command: Command): string {
  const [path, other] = [named, file].filter((one) => one !== undefined);
  if (path === undefined) return command.error("error: the file to import is missing: 'claims statement import FILE'");
  if (other !== undefined) return command.error('error: the file to import is named twice');
  return path;
}

function parsePeriod(value: string): Days {
  const [start = '', end = ''] = value.split('..');
  if (!isCalendarDate(start) || !isCalendarDate(end) || start > end)
    throw new InvalidArgumentError('It is not two days such as 2026-06-01..2026-06-30.');
  return { start, end };
}

function parseCurrency(value: string): string {
  const code = value.toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code)) throw new InvalidArgumentError('It is not a currency such as EUR.');
  return code;
}

/** Redacts while it waits, because there may be no worker. */
async function settled(services: Services, id: string): Promise<BankStatementDto> {
  for (;;) {
    await services.statements.redact();
    const shown = await findRecord(services, id);
    if (!UNSETTLED.includes(shown.redactionStatus)) return shown;
    await delay(POLL_MS);
  }
}

async function findRecord({ statements }: Services, id: string): Promise<BankStatementDto> {
  const module = await import('../../modules/statements/index.js');
  return module.BankStatementDto.from(await statements.get(id));
}

function show(options: JsonOption, ...statements: readonly BankStatementDto[]): void {
  print(options, statements.length === 1 ? statements[0] : statements, statements.flatMap(linesOf));
  if (statements.some(({ redactionStatus }) => redactionStatus === 'failed')) process.exitCode = 1;
}

function linesOf({ id, redactionStatus, fileName, accountLabel, lineCount, failure, warnings, certainty }: BankStatementDto): string[] {
  const facts = [fileName, accountLabel, lineCount === null ? null : `${lineCount} lines`, certainty]
    .filter((fact) => fact !== null)
    .join(', ');
  const remarks = [...(failure ? [failure] : []), ...warnings].map(({ code, message }) => `${code}: ${message}`);
  return [`${id}  ${redactionStatus}  ${facts}`, ...remarks];
}

interface CheckOptions {
  layout?: string;
  org?: string;
  environment?: Environment;
  json?: boolean;
}

function addCheck(statement: Command): void {
  jsonCommand(
    statement,
    'check <file>',
    'Show how a file would be read: accounts, balances, layout, warnings, first lines. Stores nothing.',
  )
    .option(...LAYOUT_OPTION)
    .option('--org <org>', 'organization whose layouts are used, too: id or slug')
    .option('--environment <environment>', 'test or live; with --org', parseEnvironment)
    .action(async (path: string, options: CheckOptions, command: Command) => {
      const file = contentOf(path);
      // Their readers are asked, too.
      await loadExtensions();
      const { checkStatement } = await import('../../modules/statements/index.js');
      const today = new Date().toISOString().slice(0, 10);
      const checked = await checkStatement(file, basename(path), { today, ...(await readLayouts(options, command)) });
      if ('failure' in checked) process.exitCode = 1;
      print(options, checked, 'failure' in checked ? [`${checked.failure.code}: ${checked.failure.message}`] : checkedLines(checked));
    });
}

/** With an organization, the file is read as an import of it would be. Without one, no database is needed. */
async function readLayouts(
  { layout, org, environment }: CheckOptions,
  command: Command,
): Promise<Pick<ReadingOptions, 'layout' | 'layouts'>> {
  if ((org === undefined) !== (environment === undefined))
    return command.error("error: options '--org <org>' and '--environment <environment>' need each other");
  const said = layout === undefined ? undefined : saidLayout(layout);
  if (org === undefined || environment === undefined) return { layout: said && (await layoutWithoutOrganization(said)) };
  return withOrganization(org, async (organizationId, { statementLayouts }) => {
    const tenant = { organizationId, environment };
    const kept = (await statementLayouts.all(tenant)).map((one) => one.layout);
    return { layout: said && (await statementLayouts.meant(tenant, said)), layouts: kept };
  });
}

function checkedLines({ format, lines, period, columns, layout, accounts, warnings, certainty, firstLines }: CheckedStatement): string[] {
  return [
    `${format}, ${lines} lines${period ? `, ${period.start} to ${period.end}` : ''}, ${certainty}`,
    ...accounts.map(
      ({ account, currency, lines: own, sum, opening, closing, ties }) =>
        `account ${account ?? 'not named'}, ${currency ?? 'no currency'}: ${own} lines, sum ${sum ?? 'too large'}` +
        (opening === null && closing === null ? ', no balances' : `, from ${opening ?? 'unknown'} to ${closing ?? 'unknown'}`) +
        (ties === null ? '' : ties ? ', ties' : ', DOES NOT TIE'),
    ),
    ...usedLine(layout),
    ...columns.map(({ column, name, readAs }) => `column ${column}${name ? ` “${name}”` : ''}: ${readAs ?? 'not used'}`),
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
    ...firstLines.map(
      ({ lineNumber, bookedOn, amount, currency, counterparty, description }) =>
        `${lineNumber}  ${bookedOn}  ${amount} ${currency ?? ''}  ${[counterparty, description].filter(Boolean).join(' | ')}`,
    ),
  ];
}
