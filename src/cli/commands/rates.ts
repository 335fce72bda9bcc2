import type { Command } from 'commander';
import { contentOf, jsonCommand, type JsonOption, print, withServices } from '../command.js';

export function addRates(program: Command): void {
  const rates = program.command('rates').description('Exchange rates of the European Central Bank for reports: import, show.');

  jsonCommand(
    rates,
    'import <file>',
    'Import a file of the bank: eurofxref-hist.csv, eurofxref-daily.xml, the like, or a ZIP archive of one. It can be repeated.',
  )
    .option('--replace', 'replace stored rates that the file contradicts')
    .action(async (path: string, { replace, json }: { replace?: boolean; json?: boolean }) => {
      const file = contentOf(path);
      const done = await withServices(({ rates: service }) => service.import(file, { replace }));
      const { days, currencies, first, last, added, replaced, unchanged } = done;
      print({ json }, done, [
        `${days} days from ${first} to ${last}, ${currencies} currencies. ` +
          `Rates: ${added} added, ${replaced} replaced, ${unchanged} unchanged.`,
      ]);
    });

  jsonCommand(rates, 'show', 'Show for which days each currency has rates.').action(async (options: JsonOption) => {
    const stored = await withServices(({ rates: service }) => service.stored());
    const lines = stored.map(({ currency, days, first, last }) => `${currency}  ${days} days from ${first} to ${last}`);
    print(options, stored, lines.length > 0 ? lines : ['No rates were imported.']);
  });
}
