import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { CheckedStatement } from '../../modules/statements/index.js';
import { StartError } from '../../kernel/start-error.js';
import { print, withJson } from '../options.js';

export function addCheck(statement: Command): void {
  withJson(
    statement
      .command('check <file>')
      .description('Show how a file would be read: accounts, balances, warnings, first lines. Stores nothing.'),
  ).action(async (file: string, options: { json?: boolean }) => {
    const { checkStatement } = await import('../../modules/statements/index.js');
    const checked = await checkStatement(readStatementFile(file), basename(file), { today: new Date().toISOString().slice(0, 10) });
    if ('failure' in checked) process.exitCode = 1;
    print(options, checked, 'failure' in checked ? [`${checked.failure.code}: ${checked.failure.message}`] : linesOf(checked));
  });
}

export function readStatementFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${path} cannot be read (${(error as { code?: string }).code}).`);
  }
}

function linesOf({ format, lines, period, columns, accounts, warnings, firstLines }: CheckedStatement): string[] {
  return [
    `${format}, ${lines} lines${period ? `, ${period.start} to ${period.end}` : ''}`,
    ...accounts.map(
      ({ account, currency, lines: own, sum, opening, closing, ties }) =>
        `account ${account ?? 'not named'}, ${currency ?? 'no currency'}: ${own} lines, sum ${sum ?? 'too large'}` +
        (opening === null && closing === null ? ', no balances' : `, from ${opening ?? 'unknown'} to ${closing ?? 'unknown'}`) +
        (ties === null ? '' : ties ? ', ties' : ', DOES NOT TIE'),
    ),
    ...columns.map(({ column, name, readAs }) => `column ${column}${name ? ` “${name}”` : ''}: ${readAs ?? 'not used'}`),
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
    ...firstLines.map(
      ({ lineNumber, bookedOn, amount, currency, counterparty, description }) =>
        `${lineNumber}  ${bookedOn}  ${amount} ${currency ?? ''}  ${[counterparty, description].filter(Boolean).join(' | ')}`,
    ),
  ];
}
