import { basename } from 'node:path';
import type { Command } from 'commander';
import type { CheckedStatement } from '../../modules/statements/index.js';
import { print, withJson } from '../options.js';
import { readStatementFile } from './read-statement-file.js';
import { LAYOUT_OPTION, layoutWithoutOrganization, usedLine } from './statement-layout.js';

export function addCheck(statement: Command): void {
  withJson(
    statement
      .command('check <file>')
      .description('Show how a file would be read: accounts, balances, warnings, first lines. Stores nothing.'),
  )
    .option(...LAYOUT_OPTION)
    .action(async (file: string, options: { layout?: string; json?: boolean }) => {
      const { checkStatement } = await import('../../modules/statements/index.js');
      const layout = options.layout === undefined ? undefined : await layoutWithoutOrganization(options.layout);
      const checked = await checkStatement(readStatementFile(file), basename(file), {
        today: new Date().toISOString().slice(0, 10),
        layout,
      });
      if ('failure' in checked) process.exitCode = 1;
      print(options, checked, 'failure' in checked ? [`${checked.failure.code}: ${checked.failure.message}`] : linesOf(checked));
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
