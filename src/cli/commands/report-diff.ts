import type { Command } from 'commander';
import type { Change, ResultComparison } from '../../modules/reports/index.js';
import { print, withJson } from '../options.js';
import { withServices } from '../command-context.js';

export function addDiff(report: Command): void {
  withJson(
    report.command('diff <first> <second>').description('Show what is different in the second of two succeeded report runs.'),
  ).action(async (first: string, second: string, options: { json?: boolean }) => {
    const comparison = await withServices(({ reports }) => reports.compare(first, second));
    print(options, comparison, linesOf(comparison));
  });
}

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
