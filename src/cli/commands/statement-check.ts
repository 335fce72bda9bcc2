import { basename } from 'node:path';
import type { Command } from 'commander';
import type { CheckedStatement, ReadingOptions } from '../../modules/statements/index.js';
import type { Environment } from '../../kernel/context.js';
import { withServices } from '../command-context.js';
import { parseEnvironment, print, withJson } from '../options.js';
import { readStatementFile } from './read-statement-file.js';
import { LAYOUT_OPTION, layoutWithoutOrganization, saidLayout, usedLine } from './statement-layout.js';

interface Chosen {
  layout?: string;
  org?: string;
  environment?: Environment;
  json?: boolean;
}

export function addCheck(statement: Command): void {
  withJson(
    statement
      .command('check <file>')
      .description('Show how a file would be read: accounts, balances, layout, warnings, first lines. Stores nothing.'),
  )
    .option(...LAYOUT_OPTION)
    .option('--org <org>', 'organization whose layouts are used, too: id or slug')
    .option('--environment <environment>', 'test or live; with --org', parseEnvironment)
    .action(async (path: string, options: Chosen, command: Command) => {
      const file = readStatementFile(path);
      // Their readers are asked, too.
      await import('../../extensions/index.js');
      const { checkStatement } = await import('../../modules/statements/index.js');
      const today = new Date().toISOString().slice(0, 10);
      const checked = await checkStatement(file, basename(path), { today, ...(await layoutsOf(options, command)) });
      if ('failure' in checked) process.exitCode = 1;
      print(options, checked, 'failure' in checked ? [`${checked.failure.code}: ${checked.failure.message}`] : linesOf(checked));
    });
}

/** With an organization, the file is read as an import of it would be. Without one, no database is needed. */
async function layoutsOf({ layout, org, environment }: Chosen, command: Command): Promise<Pick<ReadingOptions, 'layout' | 'layouts'>> {
  if ((org === undefined) !== (environment === undefined))
    return command.error("error: options '--org <org>' and '--environment <environment>' need each other");
  const said = layout === undefined ? undefined : saidLayout(layout);
  if (org === undefined || environment === undefined) return { layout: said && (await layoutWithoutOrganization(said)) };
  return withServices(async ({ organizations, statementLayouts }) => {
    const tenant = { organizationId: (await organizations.named(org)).id, environment };
    const kept = (await statementLayouts.list(tenant)).map((one) => one.layout);
    return { layout: said && (await statementLayouts.meant(tenant, said)), layouts: kept };
  });
}

function linesOf({ format, lines, period, columns, layout, accounts, warnings, firstLines }: CheckedStatement): string[] {
  return [
    `${format}, ${lines} lines${period ? `, ${period.start} to ${period.end}` : ''}`,
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
