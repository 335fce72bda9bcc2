import { describe, expect, it } from 'vitest';
import { bookingsOf, codesOf, readAll } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples } from './corpus.js';

const all = await samples();
const textOf = (wanted: string): string => all.find(({ name }) => name === wanted)!.bytes.toString();

const FORMATS: readonly (readonly [name: RegExp, formats: readonly string[]])[] = [
  [/\.(csv|tab)$/, ['csv']],
  [/\.sta$/, ['mt940', 'mt942']],
  [/^rs\/.*\.xml$/, ['serbian_xml']],
  [/\.xml$/, ['camt052', 'camt053', 'camt054', 'ofx']],
  [/\.(ofx|qfx)$/, ['ofx']],
  [/\.qif$/, ['qif']],
  [/\.xlsx$/, ['xlsx']],
  [/\.pdf$/, ['pdf']],
  [/\.cod$/, ['coda']],
  [/\.n43$/, ['norma43']],
  [/\.bai$/, ['bai2']],
];

describe('each sample is detected as its own format, whatever it is called', () => {
  it.each(all.filter(({ expected }) => expected.lines))('$name', async ({ name, bytes }) => {
    const [, formats] = FORMATS.find(([pattern]) => pattern.test(name))!;
    expect(formats).toContain((await readAll(bytes, 'statement')).format);
  });
});

describe('a CODA', () => {
  const text = textOf('be/belfius-coda.cod');
  const changed = (line: number, from: number, part: string): string => {
    const lines = text.split('\r\n');
    lines[line] = lines[line]!.slice(0, from - 1) + part + lines[line]!.slice(from - 1 + part.length);
    return lines.join('\r\n');
  };
  const lineOf = (start: string): number => text.split('\r\n').findIndex((line) => line.startsWith(start));

  it('has the parties, the references and the owner of the account, in records of each kind', async () => {
    const { lines, balances } = await readAll(text);
    expect(balances).toMatchObject([
      { account: 'BE71096123456769', currency: 'EUR', opening: '1250.00', closing: '1012.31' },
      { account: 'BE68539007547034', currency: 'USD', opening: '-50.00', closing: '70.50' },
    ]);
    expect(lines[0]).toMatchObject({ owner: 'VAN DEN BOSCH VZW', reference: 'MANDAAT-2024-17', counterpartyAccount: 'BE43068999999501' });
    expect(lines[1]).toMatchObject({
      reference: '+++090/9337/55493+++',
      counterparty: 'LUCAS DESCHEPPER',
      counterpartyAddress: 'DORPSSTRAAT 12 9000 GENT',
    });
    expect(lines[4]).toMatchObject({ isCardPayment: true, bankReference: 'OL1111111111111111114' });
    expect(lines.slice(2, 4).map(({ bankReference }) => bankReference)).toEqual([
      'OL1111111111111111113/0001',
      'OL1111111111111111113/0002',
    ]);
  });

  it('has one line for a total whose details add up to something else, and a warning', async () => {
    const read = await readAll(changed(lineOf('2100030002'), 47, '1'));
    expect(codesOf(read)).toEqual(['details_do_not_tie']);
    expect(read.warnings[0]!.message).toMatch(/^Line 11: /);
    expect(bookingsOf(read)[2]).toBe('2026-03-05 -345.00 EUR');
  });

  it('has the IBAN of an account that is written as it was before there were IBANs', async () => {
    const old = text.replace('12045BE71096123456769                  EUR', '10045096123456769 EUR0BE                  ');
    expect((await readAll(old)).balances[0]).toMatchObject({ account: 'BE71096123456769', currency: 'EUR', opening: '1250.00' });
  });

  it('warns that another statement may be missing', async () => {
    const first = text.slice(0, text.indexOf('\r\n00000', 200) + 2);
    expect(codesOf(await readAll(first))).toEqual(['statement_announced']);
  });

  it.each([
    ['format_not_supported', 0, 128, '1'],
    ['format_not_supported', 0, 84, '00001'],
    ['invalid_line', 3, 3, '0009'],
    ['invalid_line', 3, 1, '39'],
    ['invalid_amount', 2, 33, 'X'],
    ['invalid_date', 2, 116, '310226'],
  ])('is refused with its place: %s in line %i', async (code, line, from, part) => {
    await expect(readAll(changed(line, from, part))).rejects.toMatchObject({ code });
  });

  it('names the totals and balances that it does not lead to', async () => {
    const last = text.trimEnd().split('\r\n').length;
    await expect(readAll(changed(last - 1, 52, '1'))).rejects.toMatchObject({
      code: 'totals_contradict',
      message: expect.stringContaining(`The record 9 in line ${last} states other control totals`) as string,
    });
    await expect(readAll(changed(last - 2, 57, '1'))).rejects.toMatchObject({ code: 'balances_contradict' });
  });
});

describe('a Norma 43', () => {
  const text = textOf('es/caixabank-norma43.n43');

  it('has the IBAN of its account, and the texts of all records of a booking', async () => {
    const { lines } = await readAll(text);
    expect(lines[1]).toMatchObject({
      account: 'ES9121000418450200051332',
      owner: 'TALLER EJEMPLO SL',
      description: 'RECIBO AGUAS DE LA VILLA SA FACTURA 2026/00871 PERIODO ENERO FEBRERO CONTADOR 5512',
      reference: '000000012345 MANDATO 77',
    });
  });

  it('is read with the header of a file, and several files in one', async () => {
    const file = `00${'1'.repeat(30)}\n${text}`;
    expect(codesOf(await readAll(file))).toEqual([]);
    const next = text.replaceAll('260301260331', '260331260331').replaceAll('ES', 'XX');
    expect((await readAll(file + next)).lines).toHaveLength(12);
  });

  it('has no currency if its number is not known', async () => {
    expect(codesOf(await readAll(text.replaceAll('978', '999')))).toContain('currency_unknown');
  });

  it('counts a booking of zero on the side that it has, and reads a zero as the sign of a balance', async () => {
    const zero = '22    0418260331260331171201000000000000000000000000000000000000';
    const more = text
      .replace('\r\n33', `\r\n${zero}\r\n33`)
      .replace('332100041802000513320000400', '332100041802000513320000500')
      .replace('000017', '000018')
      .replace(/^(33.{56})2/m, '$10');
    const read = await readAll(more);
    expect(read.lines.at(5)).toMatchObject({ amount: '0.00' });
    expect(read.balances[0]).toMatchObject({ closing: '2317.37' });
  });

  it('is refused if an account ends with the totals of another', async () => {
    await expect(readAll(text.replace('3321000418030', '3321000418020'))).rejects.toMatchObject({ code: 'invalid_line' });
  });
});

describe('the XML of banks in Serbia', () => {
  const [elements, attributes] = [textOf('rs/office-banking.xml'), textOf('rs/izvod.xml')];

  it('has the other party, its account and the references, of elements and of attributes', async () => {
    const [byElements, byAttributes] = [await readAll(elements), await readAll(attributes)];
    expect(byElements.balances).toMatchObject([{ account: '160-0000000123456-11', currency: 'RSD', opening: '120000.00' }]);
    expect(byElements.lines[0]).toMatchObject({
      counterpartyAccount: '205-0000000765432-22',
      counterpartyAddress: 'NIŠ',
      reference: '97-1718',
      bankReference: 'IZM0001',
    });
    expect(byAttributes.balances).toMatchObject([{ account: '265104031000153415', opening: '85000.00', closing: '71199.75' }]);
    expect(byAttributes.lines[0]).toMatchObject({ reference: '9-2026', bankReference: '2026033100001' });
  });

  it('is read as several statements in one, and as one without bookings', async () => {
    const next = elements.slice(elements.indexOf('<pmt')).replaceAll('IZM', 'SLE').replaceAll('2026-03-31', '2026-04-01');
    const none = next.replace(/<trnlist[^]*<\/trnlist>/, '<trnlist count="0"/>').replace('146750.50', '120000.00');
    const read = await readAll(`<stmtrslist>${elements.slice(elements.indexOf('<pmt'))}${next}${none}</stmtrslist>`);
    expect([read.lines.length, read.balances.length]).toEqual([6, 3]);
  });

  it('names the currency of an account in another one', async () => {
    const inEuros = attributes.replaceAll('TransakcioniRacunPrivredaIzvod', 'RacunPrivredaIzvod');
    expect((await readAll(inEuros)).lines[0]).toMatchObject({ currency: null });
    const named = inEuros.replace('<Zaglavlje ', '<Zaglavlje OznakaValute="EUR" ').replace('<Stavke ', '<Stavke DatumObrade="30.03.2026" ');
    expect((await readAll(named)).lines[0]).toMatchObject({ currency: 'EUR', bookedOn: '2026-03-30' });
  });

  it.each([
    ['incomplete_file', 'a booking less than it says', elements.replace('count="3"', 'count="4"')],
    ['incomplete_file', 'no end', elements.replace('</pmtnotification>', '')],
    ['incomplete_file', 'no end', attributes.replace('</TransakcioniRacunPrivredaIzvod>', '')],
    ['invalid_markup', 'a booking within another', elements.replace('</stmttrn>', '')],
    ['invalid_markup', 'a booking that is not closed', attributes.replace('DatumValute="31.03.2026" />', 'DatumValute="31.03.2026')],
    ['invalid_amount', 'no direction', elements.replace('<benefit>debit</benefit>', '')],
    ['invalid_amount', 'an amount that may be another', attributes.replace('31.000,25', '31.000')],
    ['invalid_date', 'no date', elements.replace('<dtposted>2026-03-31T00:00:00</dtposted>', '')],
    ['invalid_date', 'no date', attributes.replace('DatumIzvoda="31.03.2026"', '')],
    ['statement_missing', 'a failure of the bank', elements.replace('<curdef>', '<status><code>15</code></status><curdef>')],
    ['format_not_supported', 'another list', elements.replaceAll('trnlist', 'documentlist')],
  ])('is refused as %s if it has %s', async (code, _what, text) => {
    await expect(readAll(text)).rejects.toMatchObject({ code });
  });
});

describe('a BAI2', () => {
  const text = textOf('us/example-bai2.bai');

  it('is one with the time in parts, too', async () => {
    for (const time of ['06:15', '06:15:59']) expect((await readAll(text.replace(',0615,', `,${time},`))).format).toBe('bai2');
  });

  it('has a text that goes on in further lines, after each kind of availability', async () => {
    const { lines } = await readAll(text);
    expect(lines.map(({ description, reference, bankReference }) => [description, reference, bankReference])).toEqual([
      ['ACH CREDIT FROM EXAMPLE TOOLS, INVOICE 17', null, '0000111'],
      ['WIRE IN ORIG MUSTER WERKZEUG GMBH, REF 5512', 'INV-18', 'BNK7'],
      ['CHECK PAID', '1042', null],
      ['ACH DEBIT CITY POWER AND LIGHT ACCT 5512, FEBRUARY', null, '0000114'],
      ['COMMERCIAL DEPOSIT', 'DEP-3', '0000115'],
      ['MONTHLY SERVICE FEE', null, null],
    ]);
  });

  it('is proven by its balances, or by totals of both credits and debits', async () => {
    const unbalanced = text.replaceAll(/,01[05],/g, ',019,');
    expect((await readAll(text)).certainty).toBe('proven');
    expect((await readAll(unbalanced)).certainty).toBe('plausible');
    const only = [...text.split('\n').slice(0, 12), '98,1387345,1,12/', '99,1387345,1,14/', ''].join('\n');
    expect((await readAll(only.replaceAll(/,01[05],/g, ',019,'))).certainty).toBe('proven');
  });

  it('may leave out the kinds of a summary', async () => {
    expect(bookingsOf(await readAll(text.replaceAll('USD,010', 'USD,,,,,010')))).toEqual(bookingsOf(await readAll(text)));
  });

  it('has the decimals of ISO 4217 for its currency, and not those with which it is written in daily life', async () => {
    const { amount } = (await readAll(text)).lines[0]!;
    for (const currency of ['HUF', 'IDR', 'COP']) {
      const { lines } = await readAll(text.replaceAll('USD', currency));
      expect(lines[0]).toMatchObject({ amount, currency });
    }
  });

  it('has the decimals of its currency, which the import can name', async () => {
    const unnamed = text.replaceAll('USD', '');
    expect(codesOf(await readAll(unnamed))).toContain('currency_unknown');
    const read = await readAll(unnamed, 'statement', undefined, { currency: 'JPY' });
    expect(bookingsOf(read)[2]).toBe('2026-03-02 -10000.00 JPY');
    expect(codesOf(read)).toEqual([]);
  });

  it('is an interim report if it says so, and warns if its totals are not those of its bookings', async () => {
    expect(codesOf(await readAll(text.replaceAll('USD,2/', 'USD,3/')))).toEqual(['interim_report']);
    expect(codesOf(await readAll(text.replace('100,125000,2,Z', '100,125000,3,Z')))).toEqual(['totals_do_not_tie']);
    expect(codesOf(await readAll(text.replace('16,165', '16,465')))).toEqual(['totals_do_not_tie', 'balances_do_not_tie']);
  });

  it.each([
    ['format_not_supported', '80,,2/', '80,,1/'],
    ['format_not_supported', '80,,2/\n02', '80,,2/   02'],
    ['invalid_line', '03,0123456789,USD,010', '03,0123456789,USD,01'],
    ['format_not_supported', '122099999,1,260303', '122099999,3,260303'],
    ['direction_unknown', '16,698', '16,720'],
    ['invalid_date', '1,260303,2359', '1,260231,2359'],
    ['invalid_amount', '16,698,500', '16,698,5.00'],
    ['invalid_line', '500,0,,,', '500,X,,,'],
    ['totals_contradict', '49,1225310,3/', '49,1225310,4/'],
    ['totals_contradict', '98,1225310,1,5/', '98,1225310,2,5/'],
    ['totals_contradict', '99,2642655', '99,2642656'],
  ])('is refused with its place: %s', async (code, from, to) => {
    expect(text).toContain(from);
    await expect(readAll(text.replace(from, to), 'a.csv')).rejects.toMatchObject({ code });
  });
});
