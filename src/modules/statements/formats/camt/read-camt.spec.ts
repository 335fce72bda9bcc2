import { describe, expect, it } from 'vitest';
import { CAMT_2, CAMT_4, CAMT_8 } from '../fixtures/camt.js';
import { bookingsOf, readAll } from '../fixtures/reading.js';

describe('a CAMT.053', () => {
  it('of version 2 is read with its batches taken apart; what is pending is left out', async () => {
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
    expect(read.balances).toEqual([{ account: 'DE89370400440532013000', currency: 'EUR', opening: '100.00', closing: '-20.50' }]);
    expect(read.period).toEqual({ start: '2024-03-01', end: '2024-03-31' });
  });

  it('of version 4 is read with prefixes, in several statements; what is in comments and CDATA cuts nothing', async () => {
    const read = await readAll(CAMT_4);
    expect(bookingsOf(read)).toEqual(['2024-02-29 15.00 CHF', '2024-03-01 30.00 CHF']);
    expect(read.lines.map(({ account }) => account)).toEqual(['539007547034', 'CH9300762011623852957']);
  });

  it('of version 8 is read with its codes and deeper parties', async () => {
    const read = await readAll(CAMT_8);
    expect(bookingsOf(read)).toEqual(['2024-05-02 48.00 EUR']);
    expect(read.lines[0]).toMatchObject({
      description: 'Credit transfer',
      counterparty: 'Ida Kranz',
      counterpartyAccount: '77-1',
      counterpartyAddress: 'Hof 1, 12345 Linde, DE',
      reference: 'INV-48',
    });
    expect(read.balances).toEqual([{ account: 'DE89370400440532013000', currency: 'EUR', opening: '0.00', closing: null }]);
  });

  it('tells of a reversal who was to be paid, and its references', async () => {
    expect((await readAll(CAMT_4)).lines[0]).toMatchObject({
      amount: '15.00',
      counterparty: 'Shop',
      reference: 'RF18539007547034',
      bankReference: 'T9',
    });
  });

  it('leaves a batch whole when its parts do not add up, are of another currency, or have no amounts', async () => {
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

  it("has the bank's ids of the parts of a batch, where each has its own", async () => {
    const withIds = CAMT_2.replace('<EndToEndId>E-1', '<AcctSvcrRef>P1</AcctSvcrRef><EndToEndId>E-1').replace(
      '<EndToEndId>NOT',
      '<AcctSvcrRef>P2</AcctSvcrRef><EndToEndId>NOT',
    );
    expect((await readAll(withIds)).lines.map(({ bankReference }) => bankReference)).toEqual(['P1', 'P2']);
    expect((await readAll(withIds.replace('P2', 'P1'))).lines.map(({ bankReference }) => bankReference)).toEqual(['BR7/1', 'BR7/2']);
  });
});

describe('what is wrong with a CAMT.053 is said', () => {
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
  ] as const)('%s for %s', async (code, from, to) => {
    await expect(readAll(CAMT_8.replace(from, to))).rejects.toMatchObject({ code });
  });

  it('an entry that is too large to be held', async () => {
    await expect(readAll(CAMT_8.replace('<NtryDtls>', `<X>${'x'.repeat(5_000_000)}</X><NtryDtls>`))).rejects.toMatchObject({
      code: 'entry_too_large',
    });
  });

  it('entities are not looked up', async () => {
    expect((await readAll(CAMT_8.replace('Ida Kranz', '&lol; &amp;lol;'))).lines[0]!.counterparty).toBe('&lol; &lol;');
  });
});
