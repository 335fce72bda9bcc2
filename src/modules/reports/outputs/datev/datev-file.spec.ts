import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, configurationOf, lineOf } from '../../engine/fixtures/run.js';
import type { RunLine } from '../../engine/inputs.js';
import { computedReport } from '../fixtures/computed-report.js';
import { someAbout } from '../fixtures/report.js';
import type { Report } from '../report.js';
import { datevFile } from '../fixtures/files.js';

const datev = { consultantNumber: 29098, clientNumber: 55003, fiscalYearStart: '2026-01-01', accountLength: 4 };
const categories = [
  categoryOf(
    'MEALS',
    [claiming('', 50)].map((rule) => ({ ...rule, all: [{ field: 'amount', op: 'gte', value: 0 }] })),
  ),
];

async function reportOf(lines: readonly Partial<RunLine>[], more: Partial<typeof datev> = {}, period = ['2026-01-01', '2026-12-31']) {
  const configuration = configurationOf({ periodStart: period[0], periodEnd: period[1] });
  const booked = lines.map(({ amount = '-10.00', ...line }, index) => lineOf(1, amount, { lineNumber: index + 1, ...line }));
  return computedReport({ categories, configuration }, booked, { formats: ['datev'], datev: { ...datev, ...more } });
}

/** The fields of each record, with their quotation marks. */
async function recordsOf(report: Report): Promise<string[][]> {
  const text = (await datevFile(report)).toString('latin1');
  expect(text.endsWith('\r\n')).toBe(true);
  return text
    .slice(0, -2)
    .split('\r\n')
    .map((record) => record.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/));
}

const bookingsOf = async (report: Report) => (await recordsOf(report)).slice(2);

describe('a DATEV booking batch', () => {
  it('has the header of a batch: version 700, category 21, format version 13', async () => {
    const [header, columns] = await recordsOf({
      ...(await reportOf([{}])),
      about: { ...someAbout, configuration: 'Reisekosten Müller 2026' },
    });
    expect(header!.join(';')).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20260703094127518;;"";"";"";29098;55003;20260101;4;20260101;20261231;' +
        '"Reisekosten Müller 2026";"";1;0;0;"EUR";;"";;;"";;;"";""',
    );
    expect(header).toHaveLength(31);
    expect(columns).toHaveLength(125);
    expect([columns![0], columns![6], columns![13], columns![113], columns![124]]).toEqual([
      'Umsatz (ohne Soll/Haben-Kz)',
      'Konto',
      'Buchungstext',
      'Festschreibung',
      'Abw. Skontokonto',
    ]);
  });

  it('has a record for each booking, with an amount without a sign', async () => {
    const report = await reportOf([
      { amount: '-2469.00', bookedOn: '2026-03-09', counterparty: 'Café "Zum Löwen"', description: 'Lunch;\n two' },
      { amount: '5.00', bookedOn: '2026-12-31', description: 'Refund' },
    ]);
    const records = await bookingsOf({ ...report, accounts: [{ account: '0650', contraAccount: '70000', taxKey: '9' }] });
    expect(records.map((record) => record.slice(0, 14).join(';'))).toEqual([
      '1234,50;"S";"EUR";;;;0650;70000;"9";0903;"S1/1";;;"Café ""Zum Löwen"", Lunch; two"',
      '2,50;"H";"EUR";;;;0650;70000;"9";3112;"S1/2";;;"Refund"',
    ]);
    for (const record of records) expect(record).toHaveLength(125);
  });

  it('has every text in Windows-1252: other characters become question marks, and what is too long ends with an ellipsis', async () => {
    const texts = ['Łódź – 5 €', 'u\u0308ber', 'x'.repeat(61), '=1+1', '😀'];
    const records = await bookingsOf(await reportOf(texts.map((description) => ({ description }))));
    expect(records.map((record) => record[13])).toEqual(['"?ód? \x96 5 \x80"', '"über"', `"${'x'.repeat(59)}\x85"`, `"'=1+1"`, '"?"']);
  });

  it('keeps its form whatever a text contains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 5 }), async (texts) => {
        const records = await bookingsOf(await reportOf(texts.map((description) => ({ description }))));
        expect(records).toHaveLength(texts.length);
        for (const record of records) {
          expect(record).toHaveLength(125);
          expect(record[13]!.slice(1, -1).replaceAll('""', '"').length).toBeLessThanOrEqual(60);
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['period of the report is in several calendar years', [{}], { fiscalYearStart: '2026-07-01' }, ['2026-07-01', '2027-06-30']],
    ['period of the report is not in the fiscal year', [{}], { fiscalYearStart: '2026-02-01' }, ['2026-01-01', '2026-03-31']],
    ['period of the report is not in the fiscal year', [{}], { fiscalYearStart: '2025-04-01' }, ['2026-01-01', '2026-04-01']],
    ['report has no currency', [{ currency: null }], {}],
    ['Amounts in KWD have more than 2 decimals', [{ currency: 'KWD' }], {}],
    ['more than ten digits', [{ amount: '-99999999999.00' }], {}],
  ])('is refused if the %s', async (message, lines, more, period?: string[]) => {
    await expect(datevFile(await reportOf(lines, more, period))).rejects.toMatchObject({
      code: 'datev_not_possible',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['account', '466012'],
    ['account', 'A100'],
    ['contraAccount', '0000'],
    ['taxKey', '12345'],
  ])('is refused if the %s of a category is %s', async (key, value) => {
    const report = await reportOf([{}]);
    await expect(datevFile({ ...report, accounts: [{ ...report.accounts[0]!, [key]: value }] })).rejects.toMatchObject({
      code: 'datev_not_possible',
      message: expect.stringContaining(
        `Category MEALS: sourceMapping.${key} is not a number of at most ${key === 'taxKey' ? 4 : 5} digits.`,
      ),
    });
  });

  it('may end on the last day of a fiscal year that is not a calendar year', async () => {
    const [header] = await recordsOf(
      await reportOf([{}], { fiscalYearStart: '2025-07-01', accountLength: 8 }, ['2026-01-01', '2026-06-30']),
    );
    expect(header!.slice(12, 16)).toEqual(['20250701', '8', '20260101', '20260630']);
  });
});
