import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReportOperatorService } from '../../../src/modules/reports/index.js';
import type { TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { openReports, rule } from '../../support/reports.js';
import { OWN_IBAN, startWorking } from '../../support/statements.js';

const PATIENCE_MS = 300_000;

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startWorking();
  folder = await mkdtemp(join(tmpdir(), 'claims-rates-'));
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl });

/** Imports a file with this content. */
async function imported(content: string, ...options: string[]) {
  const path = join(folder, 'eurofxref.csv');
  await writeFile(path, content);
  return claims('rates', 'import', path, ...options);
}

/** Invented rates of a Thursday and a Friday. */
const HISTORY = 'Date,USD,CHF,\n2026-01-09,1.0900,0.9400,\n2026-01-08,1.0855,N/A,\n';

describe('an operator', () => {
  it('imports reference rates, again and again, all of a file or none', async () => {
    expect((await claims('rates', 'show')).stdout).toBe('No rates were imported.\n');
    const text = '2 days from 2026-01-08 to 2026-01-09, 2 currencies. Rates: 3 added, 0 replaced, 0 unchanged.\n';
    expect(await imported(HISTORY)).toEqual({ code: 0, stdout: text, stderr: '' });
    const again = await imported(HISTORY.replace('1.0900', '1.09'), '--json');
    const counts = { days: 2, currencies: 2, first: '2026-01-08', last: '2026-01-09', added: 0, replaced: 0, unchanged: 3 };
    expect(JSON.parse(again.stdout)).toEqual(counts);
    expect((await claims('rates', 'show')).stdout).toBe(
      'CHF  1 days from 2026-01-09 to 2026-01-09\nUSD  2 days from 2026-01-08 to 2026-01-09\n',
    );
  });

  it('is told in one line why a file is refused, of which nothing is stored then', async () => {
    await imported(HISTORY, '--replace');
    const contradiction = 'Date,USD\n2026-01-07,1.0800\n2026-01-08,1.0999\n';
    const broken = 'Date,USD\n2026-01-07,1.0800\n2026-01-99,1.0999\n';
    for (const [file, line] of [
      [
        contradiction,
        /^claims: The rate of USD for 2026-01-08 is stored as 1\.0855, and is 1\.0999 in the file\. [^\n]+--replace[^\n]+\n$/,
      ],
      [broken, /^claims: Line 3: "2026-01-99" is not an existing date[^\n]+\n$/],
    ] as const) {
      const refused = await imported(file);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(line);
    }
    expect(await rowsOf(app.databaseUrl, "SELECT 1 FROM exchange_rates WHERE quoted_on = '2026-01-07'", [])).toEqual([]);
    expect((await claims('rates', 'import', join(folder, 'nothing.csv'))).stderr).toMatch(/nothing\.csv cannot be read \(ENOENT\)/);
    expect((await imported(contradiction, '--replace')).stdout).toContain('Rates: 1 added, 1 replaced, 0 unchanged.');
  });

  it('imports rates by which runs convert: through the euro, and at a weekend those of the Friday', async () => {
    await imported(HISTORY, '--replace');
    const { taken, category, configuration, run } = await openReports(app);
    const lines = [
      `2026-01-04,Hotel in Berlin,-100.00,EUR,Example Hotels GmbH,${OWN_IBAN}`,
      `2026-01-09,Hotel in Boston,-109.00,USD,Example Hotels Inc.,${OWN_IBAN}`,
      `2026-01-11,Hotel in Bern,-47.00,CHF,Example Hotels AG,${OWN_IBAN}`,
      `2026-01-20,Hotel in Boston,-20.00,USD,Example Hotels Inc.,${OWN_IBAN}`,
    ];
    await taken({ file: `Date,Description,Amount,Currency,Counterparty,Account\n${lines.join('\n')}\n` });
    await category('HOTELS', [rule('hotel')]);
    const runIn = async (currency: string) => {
      const outputOptions = { formats: ['json', 'pdf', 'xlsx', 'csv'], detail: 'lines', currency, rates: 'ecb' };
      const { id: reportConfigurationId } = await configuration({ outputOptions });
      const report = await run({ reportConfigurationId });
      expect(report).toMatchObject({ status: 'succeeded', failure: null });
      return report;
    };
    const euros = await runIn('EUR');
    expect(euros.result).toMatchObject({
      totals: { count: 3, net: '250.00', claimable: '250.00' },
      otherCurrencies: [{ currency: 'USD', count: 1, net: '20.00' }],
      conversions: {
        source: expect.stringContaining('European Central Bank') as string,
        rates: [
          { currency: 'CHF', rateFor: '2026-01-09', rate: '1.0638297872', count: 1 },
          { currency: 'USD', rateFor: '2026-01-09', rate: '0.9174311927', count: 1 },
        ],
      },
    });
    expect(euros.result!.warnings).toContainEqual({
      code: 'rate_missing',
      message: '1 line in USD of 2026-01-20 has no rate, and is not in the totals.',
    });
    const csv = await app.app.get(ReportOperatorService).file(euros.id, 'csv');
    expect(csv.toString()).toContain('-50.00,1.0638297872,2026-01-09,"European Central Bank, euro foreign exchange reference rates"');
    const { result: francs } = await runIn('CHF');
    // 109 USD were 100 EUR, and these 94 CHF.
    expect(francs!.conversions!.currencies).toEqual([{ currency: 'USD', count: 1, net: '109.00', converted: '94.00' }]);
    expect(francs).toMatchObject({ totals: { count: 2, net: '141.00' }, otherCurrencies: [{ currency: 'EUR' }, { currency: 'USD' }] });
  });
});
