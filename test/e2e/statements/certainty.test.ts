import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { stepsOf } from '../../support/law-database.js';
import { openReports, rule } from '../../support/reports.js';
import { openStatements, OWN_IBAN, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const HEADER = 'Date,Description,Amount,Currency,Balance\n';
const PROVEN = `${HEADER}2026-01-05,Tea,-4.00,EUR,96.00\n2026-01-06,Ink,-6.00,EUR,90.00\n`;
const PLAUSIBLE = 'Date,Description,Amount,Currency\n2026-01-05,Tea,-4.00,EUR\n';
const DOUBTFUL = `${HEADER}2026-01-05,Tea,-4.00,EUR,96.00\n2026-01-06,Ink,-6.00,EUR,80.00\n`;

/** A month of an account, which states what the account has at its end alone. */
const ofx = (month: string, amounts: readonly string[], ledger: string) => {
  const bookings = amounts.map(
    (amount, index) =>
      `<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>2026${month}1${index}</DTPOSTED><TRNAMT>${amount}</TRNAMT>` +
      `<FITID>${month}-${index}</FITID><NAME>Train</NAME></STMTTRN>`,
  );
  const days = `<DTSTART>2026${month}01</DTSTART><DTEND>2026${month}28</DTEND>`;
  return `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR</CURDEF><BANKACCTFROM><BANKID>1</BANKID><ACCTID>${OWN_IBAN}</ACCTID></BANKACCTFROM>
<BANKTRANLIST>${days}${bookings.join('')}</BANKTRANLIST>
<LEDGERBAL><BALAMT>${ledger}</BALAMT><DTASOF>2026${month}28</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
};
const JANUARY = ofx('01', ['-10.00', '30.00'], '1020.00');
const FEBRUARY = ofx('02', ['-5.50', '-4.50'], '1010.00');

describe('a statement says how sure its lines are', () => {
  it('in one word, by which a list can be filtered', async () => {
    const { taken, list } = await openReports(app);
    const found = [await taken({ file: PROVEN }), await taken({ file: PLAUSIBLE }), await taken({ file: DOUBTFUL })];
    expect(found.map(({ certainty }) => certainty)).toEqual(['proven', 'plausible', 'doubtful']);
    expect(found.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([[], [], ['balances_do_not_tie']]);
    const doubtful = await list({ certainty: 'doubtful' });
    expect(doubtful.data.map(({ id }) => id)).toEqual([found[2]!.id]);
  });

  it('and a report says it of each that it has read', async () => {
    const { taken, category, run } = await openReports(app);
    await category('TEA', [rule('tea')]);
    await taken({ file: PROVEN });
    const { result } = await run();
    expect(result!.statements.map(({ certainty }) => certainty)).toEqual(['proven']);
  });
});

describe('two files that each state the balance at their end', () => {
  const certaintyOf = async (first: string, second: string) => {
    const { taken, get } = await openStatements(app);
    const { id } = await taken({ file: first });
    const later = await taken({ file: second });
    return { first: await get(id), second: later };
  };

  it('prove the lines of the later one', async () => {
    const { first, second } = await certaintyOf(JANUARY, FEBRUARY);
    expect([first.certainty, second.certainty]).toEqual(['plausible', 'proven']);
  });

  it('in whatever order they are imported; the audit log has it', async () => {
    const { first, second } = await certaintyOf(FEBRUARY, JANUARY);
    expect([first.certainty, second.certainty]).toEqual(['proven', 'plausible']);
    expect(first.updatedAt > first.createdAt).toBe(true);
    expect(JSON.stringify(await stepsOf(app, first.id))).toContain('bank_statement.proven');
  });

  it('prove each other if all are read at the same time, as those of an archive', async () => {
    const { take, settled } = await openStatements(app);
    const months = ['01', '02', '03', '04', '05', '06'];
    const files = months.map((month, index) => ofx(month, ['-10.00'], String(1000 - 10 * index)));
    const imported = await Promise.all(files.map((file) => take({ file })));
    await Promise.all(imported.map(({ id }) => settled(id)));
    const found = await Promise.all(imported.map(({ id }) => settled(id)));
    expect(found.map(({ certainty }) => certainty)).toEqual(['plausible', ...Array<string>(5).fill('proven')]);
  });

  it('prove nothing if a booking is missing between them, or if they are the same file twice', async () => {
    const { second } = await certaintyOf(JANUARY, ofx('02', ['-5.50'], '1010.00'));
    expect(second.certainty).toBe('plausible');
    const nothing = ofx('02', ['-5.00', '5.00'], '1020.00');
    const twice = await certaintyOf(nothing, nothing.replace('<NAME>Train', '<NAME>Trains'));
    expect([twice.first.certainty, twice.second.certainty]).toEqual(['plausible', 'plausible']);
  });

  it('prove nothing of another account, or of another tenant', async () => {
    const { second } = await certaintyOf(JANUARY.replace(OWN_IBAN, 'DE02120300000000202051'), FEBRUARY);
    expect(second.certainty).toBe('plausible');
    const [one, other] = [await openReports(app), await openReports(app)];
    await one.taken({ file: JANUARY });
    expect((await other.taken({ file: FEBRUARY })).certainty).toBe('plausible');
  });
});

describe('an import that says its period', () => {
  const QUIET = 'Date,Description,Amount,Currency\n2026-06-05,Tea,-4.00,EUR\n2026-06-20,Ink,-6.00,EUR\n';
  const june = { period: { start: '2026-06-01', end: '2026-06-30' } };

  it('covers the quiet days at the edges of the month, so a report has no gap', async () => {
    const { taken, run, configuration } = await openReports(app);
    const statement = await taken({ file: QUIET, readingOptions: june });
    expect(statement).toMatchObject({ periodStart: '2026-06-01', periodEnd: '2026-06-30', certainty: 'plausible', warnings: [] });
    const { id } = await configuration({ periodStart: '2026-06-01', periodEnd: '2026-06-30' });
    const { result } = await run({ reportConfigurationId: id });
    expect(result!.evidence).toMatchObject({ coveragePercent: '100.0', months: [{ month: '2026-06', status: 'covered' }] });
  });

  it('is doubtful if bookings are of other days, which belong to its period then', async () => {
    const { taken } = await openStatements(app);
    const statement = await taken({ file: QUIET, readingOptions: { period: { start: '2026-06-10', end: '2026-06-30' } } });
    expect(statement).toMatchObject({ periodStart: '2026-06-05', periodEnd: '2026-06-30', certainty: 'doubtful' });
    expect(statement.warnings).toMatchObject([{ code: 'outside_period', message: expect.stringContaining('Booking 1') as string }]);
  });

  it('changes nothing of a file that states its own', async () => {
    const { taken } = await openStatements(app);
    expect(await taken({ file: JANUARY, readingOptions: june })).toMatchObject({ periodStart: '2026-01-01', periodEnd: '2026-01-28' });
  });
});
