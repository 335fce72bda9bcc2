import { describe, expect, it } from 'vitest';
import { CAMT_052, CAMT_054, CAMT_2, CAMT_4, CAMT_8 } from './fixtures/camt.js';
import { bookingsOf, codesOf, readAll } from './fixtures/reading.js';

describe('a CAMT.053', () => {
  it('of version 2 is read with its batches split into parts, and without pending entries', async () => {
    const read = await readAll(CAMT_2);
    expect(read.format).toBe('camt053');
    expect(bookingsOf(read)).toEqual(['2024-03-05 -100.00 EUR', '2024-03-05 -20.50 EUR']);
    expect(read.lines[0]).toEqual({
      lineNumber: 1,
      account: 'DE89370400440532013000',
      bookedOn: '2024-03-05',
      amount: '-100.00',
      currency: 'EUR',
      description: 'Wages March',
      counterparty: 'Ida Kranz',
      counterpartyAccount: 'DE02500105170137075030',
      counterpartyAddress: 'Hof 1, 12345 Linde, DE',
      reference: 'E-1',
      bankReference: 'BR7/1',
    });
    expect(read.lines[1]).toMatchObject({ description: 'Batch', counterparty: 'Tom & Töchter', reference: null, bankReference: 'BR7/2' });
    expect(read.balances).toMatchObject([{ account: 'DE89370400440532013000', currency: 'EUR', opening: '100.00', closing: '-20.50' }]);
    expect(read.period).toEqual({ start: '2024-03-01', end: '2024-03-31' });
  });

  it.each(['NONREF', 'NOTPROVIDED', '0000', 'n/a', '-'])(
    'has no ids where the bank writes %s: equal bookings are counted each',
    async (id) => {
      const booked = '<CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-03-06</Dt></BookgDt>';
      const entry = `<Ntry><Amt Ccy="EUR">3.50</Amt>${booked}<AcctSvcrRef>${id}</AcctSvcrRef></Ntry>`;
      const read = await readAll(CAMT_2.replace('</Stmt>', `${entry}${entry}</Stmt>`));
      expect(bookingsOf(read).slice(-2)).toEqual(['2024-03-06 -3.50 EUR', '2024-03-06 -3.50 EUR']);
      expect(read.lines.at(-1)!.bankReference).toBeNull();
      expect(codesOf(read).filter((code) => code.startsWith('id_'))).toEqual([]);
    },
  );

  it('that opens and closes on one day has all its entries on that day, also those that do not say it', async () => {
    const balance = (code: string, day: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>` +
      `<Dt><Dt>${day}</Dt></Dt></Bal>`;
    const file = (opened: string) =>
      '<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>12345</Id></Othr></Id></Acct>' +
      `${balance('OPBD', opened, '10.00')}${balance('CLBD', '2026-03-02', '7.50')}` +
      '<Ntry><Amt Ccy="EUR">2.50</Amt><CdtDbtInd>DBIT</CdtDbtInd></Ntry></Stmt></BkToCstmrStmt></Document>';
    const read = await readAll(file('2026-03-02'));
    expect([bookingsOf(read), read.certainty]).toEqual([['2026-03-02 -2.50 EUR'], 'proven']);
    await expect(readAll(file('2026-03-01'))).rejects.toMatchObject({ code: 'invalid_date' });
  });

  it('of version 4 is read with prefixes and several statements; tags within comments and CDATA end nothing', async () => {
    const read = await readAll(CAMT_4);
    expect(bookingsOf(read)).toEqual(['2024-02-29 15.00 CHF', '2024-03-01 30.00 CHF']);
    expect(read.lines.map(({ account }) => account)).toEqual(['539007547034', 'CH9300762011623852957']);
  });

  it('names the owner of the account with each line of its statement, and says which lines were paid by card', async () => {
    const withOwner = (name: string) => `<Ccy>EUR</Ccy><Ownr><Nm>${name}</Nm></Ownr></Acct>`;
    const card = '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>CCRD</Cd><SubFmlyCd>POSD</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls>';
    const file = CAMT_8.replace('<Ccy>EUR</Ccy></Acct>', withOwner('Ada  Linde')).replace('<NtryDtls>', card);
    const [line] = (await readAll(file)).lines;
    expect(line).toMatchObject({ owner: 'Ada Linde', isCardPayment: true });
    const [second] = file.match(/<Stmt>[^]*<\/Stmt>/)!;
    const both = file.replace('</BkToCstmrStmt>', `${second.replace(/<Ownr>.*<\/Ownr>/, '')}</BkToCstmrStmt>`);
    expect((await readAll(both)).lines.map(({ owner }) => owner)).toEqual(['Ada Linde', undefined]);
  });

  it('of version 8 is read with its codes and nested parties', async () => {
    const read = await readAll(CAMT_8);
    expect(bookingsOf(read)).toEqual(['2024-05-02 48.00 EUR']);
    expect(read.lines[0]).toMatchObject({
      description: 'Credit transfer',
      counterparty: 'Ida Kranz',
      counterpartyAccount: '77-1',
      counterpartyAddress: 'Hof 1, 12345 Linde, DE',
      reference: 'INV-48',
    });
    expect(read.balances).toMatchObject([{ account: 'DE89370400440532013000', currency: 'EUR', opening: '0.00', closing: null }]);
  });

  it('has the balances of each currency of its account', async () => {
    const balance = (code: string, amount: string, sign: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd></Bal>`;
    const inDollars = `${balance('OPBD', '5', 'CRDT')}${balance('CLBD', '2', 'DBIT')}<Ntry><Amt Ccy="USD">7</Amt>`;
    const read = await readAll(CAMT_2.replace('<Ntry><Amt Ccy="EUR">9.00</Amt>', inDollars).replace('PDNG', 'BOOK'));
    expect(bookingsOf(read).at(-1)).toBe('2024-03-31 -7.00 USD');
    expect(read.balances).toMatchObject([
      { account: 'DE89370400440532013000', currency: 'EUR', opening: '100.00', closing: '-20.50' },
      { account: 'DE89370400440532013000', currency: 'USD', opening: '5.00', closing: '-2.00' },
    ]);
  });

  it('has the original payee and the references of a reversal', async () => {
    expect((await readAll(CAMT_4)).lines[0]).toMatchObject({
      amount: '15.00',
      counterparty: 'Shop',
      reference: 'RF18539007547034',
      bankReference: 'T9',
    });
  });

  it('warns of payments that are not booked, with the first, and not of what is only information', async () => {
    expect((await readAll(CAMT_2)).warnings).toEqual([{ code: 'not_booked', message: '1 payment, entry 2, is not booked, and left out.' }]);
    expect(codesOf(await readAll(CAMT_2.replace('PDNG', 'INFO')))).toEqual([]);
  });

  it('keeps a batch as one line if its parts do not add up, have another currency, or have no amounts', async () => {
    expect((await readAll(CAMT_4)).lines[1]).toMatchObject({
      amount: '30.00',
      description: 'one </c:Ntry> two',
      counterparty: null,
      bankReference: 'B2',
    });
    expect(bookingsOf(await readAll(CAMT_2.replace('<TxAmt><Amt Ccy="EUR">20.50', '<TxAmt><Amt Ccy="USD">20.50')))).toEqual([
      '2024-03-05 -120.50 EUR',
    ]);
    expect(bookingsOf(await readAll(CAMT_2.replaceAll('TxAmt', 'InstdAmt')))).toEqual(['2024-03-05 -120.50 EUR']);
  });

  it('has the bank’s id of each part of a batch if all parts have different ones', async () => {
    const withIds = CAMT_2.replace('<EndToEndId>E-1', '<AcctSvcrRef>P1</AcctSvcrRef><EndToEndId>E-1').replace(
      '<EndToEndId>NOT',
      '<AcctSvcrRef>P2</AcctSvcrRef><EndToEndId>NOT',
    );
    expect((await readAll(withIds)).lines.map(({ bankReference }) => bankReference)).toEqual(['P1', 'P2']);
    expect((await readAll(withIds.replace('P2', 'P1'))).lines.map(({ bankReference }) => bankReference)).toEqual(['BR7/1', 'BR7/2']);
  });
});

describe('an interim report', () => {
  it('CAMT.052 is read without pending entries and interim balances, with a warning that it is not final', async () => {
    for (const version of ['02', '04', '06', '08']) {
      const read = await readAll(CAMT_052.replace('001.08', `001.${version}`));
      expect(read.format).toBe('camt052');
      expect(bookingsOf(read)).toEqual(['2024-05-02 48.00 EUR']);
      expect(read.lines[0]).toMatchObject({ account: 'DE89370400440532013000', counterparty: 'Ida Kranz', bankReference: 'B48' });
      expect(read.balances).toMatchObject([]);
      expect(codesOf(read)).toEqual(['interim_report', 'not_booked']);
    }
  });

  it('CAMT.054 is read with its batches split into parts if they make the entry', async () => {
    const read = await readAll(CAMT_054);
    expect(read.format).toBe('camt054');
    expect(bookingsOf(read)).toEqual(['2024-03-01 10.00 CHF', '2024-03-01 20.00 CHF']);
    expect(read.lines.map(({ counterparty, bankReference }) => [counterparty, bankReference])).toEqual([
      ['Ida Kranz', 'B2/1'],
      ['Tom Linde', 'B2/2'],
    ]);
    expect(codesOf(read)).toEqual(['interim_report']);
    expect(bookingsOf(await readAll(CAMT_054.replace('>20.00<', '>21.00<')))).toEqual(['2024-03-01 30.00 CHF']);
  });

  it('describes a booking as the final statement does', async () => {
    const final = CAMT_052.replaceAll('AcctRpt', 'Stmt').replaceAll('Rpt>', 'Stmt>').replace('052', '053');
    const read = await readAll(final);
    expect(read.format).toBe('camt053');
    expect(codesOf(read)).toEqual(['not_booked']);
    expect(read.lines).toEqual((await readAll(CAMT_052)).lines);
  });
});

describe('an invalid CAMT.053 fails', () => {
  it.each([
    ['statement_missing', /<Stmt>[\s\S]*<\/Stmt>/, ''],
    ['incomplete_file', /<\/Stmt>[\s\S]*/, ''],
    ['incomplete_file', /<\/BkToCstmrStmt>[\s\S]*/, ''],
    ['invalid_markup', '</Ntry>', ''],
    ['invalid_markup', '<Ntry>', '<Ntry><Ntry>'],
    ['invalid_markup', '</BookgDt>', ''],
    ['invalid_date', '<Ntry>', '<Ntry></Ntry><Ntry>'],
    ['invalid_date', '<Dt>2024-05-02</Dt>', '<Dt>2024-02-30</Dt>'],
    ['invalid_amount', '>48.00<', '>4e2<'],
    ['invalid_amount', '<CdtDbtInd>CRDT</CdtDbtInd><Sts>', '<Sts>'],
    ['invalid_amount', '<Amt Ccy="EUR">0<', '<Amt Ccy="EUR">x<'],
    ['dtd_not_allowed', '<Document', '<!DOCTYPE Document [<!ENTITY a "b">]><Document'],
    ['dtd_not_allowed', '<Stmt>', `<Stmt>${' '.repeat(100_000)}<!ENTITY a "b">`],
  ] as const)('with %s if %s is replaced', async (code, from, to) => {
    await expect(readAll(CAMT_8.replace(from, to))).rejects.toMatchObject({ code });
  });

  it('with entry_too_large if an entry is too large for memory', async () => {
    await expect(readAll(CAMT_8.replace('<NtryDtls>', `<X>${'x'.repeat(5_000_000)}</X><NtryDtls>`))).rejects.toMatchObject({
      code: 'entry_too_large',
    });
  });

  it('but not because of unknown entities, which are not resolved but kept as text', async () => {
    expect((await readAll(CAMT_8.replace('Ida Kranz', '&lol; &amp;lol;'))).lines[0]!.counterparty).toBe('&lol; &lol;');
  });
});
