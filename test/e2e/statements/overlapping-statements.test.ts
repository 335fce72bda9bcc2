import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewStatement } from '../../../src/modules/statements/index.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { openReports, rule } from '../../support/reports.js';
import { OWN_IBAN, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const BOOKINGS = [
  ['2026-01-05', '-89.90', 'Train to Hamburg'],
  ['2026-01-07', '-7.50', 'Kiosk Nord'],
  ['2026-01-12', '-12.40', 'Coffee Corner'],
  ['2026-01-20', '19.90', 'Train refund'],
  ['2026-01-31', '-50.00', 'Train to Bremen'],
] as const;

const csv = (bookings: readonly (readonly string[])[] = BOOKINGS, account?: string) =>
  ['Date,Amount,Description,Currency,Account', ...bookings.map((cells) => [...cells, 'EUR', account ?? ''].join(','))].join('\n');

const entry = ([day, amount, text]: readonly string[]) =>
  `<Ntry><Amt Ccy="EUR">${amount!.replace('-', '')}</Amt><CdtDbtInd>${amount!.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>BOOK</Sts>
  <BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${day}-1</AcctSvcrRef>
  <NtryDtls><TxDtls><RmtInf><Ustrd>${text!.toUpperCase()} EREF 1</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const CAMT = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<FrToDt><FrDtTm>2026-01-01T00:00:00</FrDtTm><ToDtTm>2026-01-31T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${OWN_IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', '1000.00')}${balance('CLBD', '860.10')}
${BOOKINGS.map(entry).join('')}</Stmt></BkToCstmrStmt></Document>`;

describe('the same month as CAMT and as CSV', () => {
  const claimOf = async (file: string, said: Pick<NewStatement, 'account' | 'readingOptions'> = {}) => {
    const { taken, category, run } = await openReports(app);
    await category('TRAINS', [rule('train')]);
    expect((await taken({ file: CAMT })).redactionStatus).toBe('succeeded');
    const statement = await taken({ file, ...said });
    expect(statement.redactionStatus).toBe('succeeded');
    const { result } = await run();
    const codes = result!.warnings.map(({ code }) => code);
    return { ...result!, codes, statement };
  };

  it('is claimed once, also if the CSV file has the account in another form', async () => {
    const result = await claimOf(csv(BOOKINGS, OWN_IBAN.slice(12)));
    expect(result.totals).toMatchObject({ count: 5, claimable: '120.00' });
    expect(result.statements.map(({ duplicates }) => duplicates)).toEqual([0, 5]);
    expect(result.evidence.coveragePercent).toBe('100.0');
    expect(result.codes).toEqual([]);
  });

  it('is claimed once, if the CSV file names no account: its days and amounts are those of the account', async () => {
    const result = await claimOf(csv());
    expect(result.totals).toMatchObject({ count: 5, claimable: '120.00' });
    expect(result.codes).toEqual([]);
  });

  it('is claimed once, if the importer says the account and the currency of a CSV file that names neither', async () => {
    const file = csv(BOOKINGS.slice(0, 2)).replaceAll(',EUR,', ',,');
    const { totals, codes, statement } = await claimOf(file, { account: OWN_IBAN, readingOptions: { currency: 'EUR' } });
    expect(totals).toMatchObject({ count: 5, claimable: '120.00' });
    expect(codes).toEqual([]);
    expect(statement).toMatchObject({ accountLabel: '•••• 6199', currency: 'EUR', certainty: 'plausible', warnings: [] });
    const stored = await rowsOf(app.databaseUrl, 'SELECT reading_options FROM bank_statements');
    expect(JSON.stringify(stored)).not.toContain(OWN_IBAN);
  });

  it('is counted twice with a warning, if the CSV file names no account and has other amounts', async () => {
    const result = await claimOf(csv(BOOKINGS.map(([day, amount, text]) => [day, amount.replace(/\d/, '1$&'), text])));
    expect(result.totals.count).toBe(10);
    expect(result.codes).toContain('account_unknown');
  });
});
