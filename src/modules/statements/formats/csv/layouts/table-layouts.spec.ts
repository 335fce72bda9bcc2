import { describe, expect, it } from 'vitest';
import { bookingsOf, codesOf, readAll } from '../../fixtures/reading.js';
import { bookOf, rowsOf } from '../../fixtures/xlsx.js';
import type { WrittenLayout } from '../../../../../../tools/bank-tables/index.js';
import { parseLayout } from './written-layout.js';

const layoutOf = (layout: object): WrittenLayout => parseLayout(JSON.stringify({ name: 'Ours', ...layout }));
const by = (text: string | Uint8Array, layout: object) => readAll(text, 'a.csv', undefined, { layout: layoutOf(layout) });
const rows = (...lines: readonly string[]): string => lines.join('\n');

const CARD = { columns: { Jour: 'date', Boutique: 'description', Combien: 'amount' } };

describe('a table that is read by a layout', () => {
  it('has names that no program knows', async () => {
    const text = rows('Relevé', 'Jour;Boutique;Combien', '03/04/2026;Thé;-1,50', '04/04/2026;Salaire;2,50');
    const read = await by(text, { ...CARD, dates: 'day-month', currency: 'EUR' });
    expect(bookingsOf(read)).toEqual(['2026-04-03 -1.50 EUR', '2026-04-04 2.50 EUR']);
    expect(read.layout).toEqual({ name: 'Ours', from: 'import' });
    expect(codesOf(read)).toEqual([]);
  });

  it('has the currency of the cell before that of the importer before that of the layout', async () => {
    const text = rows('Jour;Boutique;Combien;Devise', '2026-04-03;Thé;-1,50;CHF', '2026-04-04;Salaire;2,50;');
    const layout = layoutOf({ columns: { ...CARD.columns, Devise: 'currency' }, currency: 'EUR' });
    expect(bookingsOf(await readAll(text, 'a.csv', undefined, { layout }))).toEqual(['2026-04-03 -1.50 CHF', '2026-04-04 2.50 EUR']);
    const read = await readAll(text, 'a.csv', undefined, { layout, currency: 'USD' });
    expect(bookingsOf(read)).toEqual(['2026-04-03 -1.50 CHF', '2026-04-04 2.50 USD']);
  });

  it.each(['month-day', 'day-month'] as const)('has the order of dates that the layout says: %s', async (dates) => {
    const read = await by(rows('Jour;Boutique;Combien', '03/04/2026;Thé;-1,50'), { ...CARD, dates });
    expect(bookingsOf(read)).toEqual([`2026-${dates === 'month-day' ? '03-04' : '04-03'} -1.50`]);
  });

  it('has charges without a sign, in one column or in two', async () => {
    const one = rows('Jour;Boutique;Combien', '2026-04-03;Thé;1,50', '2026-04-04;Paiement;-9,00');
    const two = rows('Jour;Boutique;Debit;Credit', '2026-04-03;Thé;1,50;', '2026-04-04;Paiement;;-9,00');
    const columns = { Jour: 'date', Boutique: 'description', Debit: 'debit', Credit: 'credit' };
    for (const read of [await by(one, { ...CARD, amounts: 'charges-positive' }), await by(two, { columns, amounts: 'charges-positive' })])
      expect(bookingsOf(read)).toEqual(['2026-04-03 -1.50', '2026-04-04 9.00']);
  });

  it('has no unknown direction if the layout says what signs mean', async () => {
    const read = await by(rows('Jour;Boutique;Combien', '2026-04-04;Salaire;2,50'), { ...CARD, amounts: 'signed' });
    expect([bookingsOf(read), codesOf(read)]).toEqual([['2026-04-04 2.50'], ['currency_unknown']]);
  });

  it('has amounts without signs whose direction another column says, whatever the layout says of signs', async () => {
    const text = rows('Jour;Boutique;Combien;Genre', '2026-04-03;Thé;1,50;Débit', '2026-04-04;Salaire;2,50;Crédit');
    const read = await by(text, { columns: { ...CARD.columns, Genre: 'kind' }, amounts: 'signed' });
    expect(bookingsOf(read)).toEqual(['2026-04-03 -1.50', '2026-04-04 2.50']);
  });

  it('has an amount if that has signs, and debit and credit otherwise', async () => {
    const layout = { columns: { ...CARD.columns, Débit: 'debit', Crédit: 'credit' } };
    const header = 'Jour;Boutique;Combien;Débit;Crédit';
    const both = await by(rows(header, '2026-04-03;Thé;-1,50;1,50;', '2026-04-04;Salaire;2,50;;2,50'), layout);
    const split = await by(rows(header, '2026-04-03;Thé;;1,50;', '2026-04-04;Salaire;;;2,50'), layout);
    for (const read of [both, split]) expect(bookingsOf(read)).toEqual(['2026-04-03 -1.50', '2026-04-04 2.50']);
  });

  it('has words of its own for money out and in', async () => {
    const text = rows('Jour;Boutique;Combien;Sens', '2026-04-03;Thé;1,50;Parti', '2026-04-04;Salaire;2,50;venu');
    const layout = { columns: { ...CARD.columns, Sens: 'direction' }, direction: { out: ['parti'], in: ['Venu'] } };
    expect(bookingsOf(await by(text, layout))).toEqual(['2026-04-03 -1.50', '2026-04-04 2.50']);
    await expect(by(`${text}\n2026-04-05;Quoi;3,50;Autre`, layout)).rejects.toMatchObject({ code: 'invalid_amount' });
  });

  it('has words of its own for what is booked, and leaves out all others', async () => {
    const text = rows('Jour;Boutique;Combien;Etat', '2026-04-03;Thé;-1,50;k', '2026-04-04;Vin;-2,50;R', '2026-04-05;Pain;-3,50;X');
    const layout = { columns: { ...CARD.columns, Etat: 'status' }, statuses: { booked: ['K'], notBooked: ['R'] } };
    const read = await by(text, layout);
    expect([bookingsOf(read), codesOf(read)]).toEqual([['2026-04-03 -1.50'], expect.arrayContaining(['not_booked', 'status_unknown'])]);
  });

  it.each<[',' | '.', string]>([
    [',', '1.23'],
    ['.', '1234'],
  ])('has the decimal mark that the layout says: %s', async (decimalMark, amount) => {
    const text = rows('Jour;Boutique;Combien', `2026-04-03;Thé;-${decimalMark === ',' ? '1,230' : '1,234'}`);
    const read = await by(text, { ...CARD, decimalMark });
    expect(bookingsOf(read)).toEqual([expect.stringMatching(new RegExp(`^2026-04-03 -${amount}`))]);
  });

  it('has rows that end early if the layout says so', async () => {
    const text = rows('Jour;Combien;Boutique;Ville', '2026-04-03;-1,50;Thé;Lyon', '2026-04-05;-3,50', '2026-04-04;-2,50;Vin;Paris');
    const columns = { Jour: 'date', Combien: 'amount', Boutique: 'description', Ville: 'note' };
    await expect(by(text, { columns })).rejects.toMatchObject({ code: 'row_does_not_fit' });
    expect(bookingsOf(await by(text, { columns, shortRows: true }))).toHaveLength(3);
  });

  it('shows columns that the layout does not mention with the description, and warns of amounts in them', async () => {
    const text = rows('Jour;Boutique;Combien;Ville;Taxe', '2026-04-03;Thé;-1,50;Lyon;-0,30');
    const read = await by(text, { ...CARD, header: ['Jour', 'Boutique', 'Combien', 'Ville', 'Taxe'] });
    expect(read.lines[0]!.description).toBe('Thé Ville: Lyon Taxe: -0,30');
    expect(codesOf(read)).toContain('column_not_used');
  });

  it('has no header, and columns by their numbers', async () => {
    const layout = { width: 4, headerRow: 2, columns: { '1': 'date', '2': 'description', '3': 'debit', '4': 'credit' } };
    const read = await by(rows('Export;of;a;bank', 'a;b;c;d', '2026-04-03;Tea;1,50;', '2026-04-04;Salary;;2,50'), layout);
    expect(bookingsOf(read)).toEqual(['2026-04-03 -1.50', '2026-04-04 2.50']);
  });

  it('may be a sheet of a workbook', async () => {
    const file = bookOf({ sheets: [rowsOf(['Jour', 'Boutique', 'Combien'], ['03/04/2026', 'Thé', 1.5])] });
    const read = await by(file, { ...CARD, dates: 'day-month', amounts: 'charges-positive' });
    expect([read.format, bookingsOf(read)]).toEqual(['xlsx', ['2026-04-03 -1.50']]);
  });
});

describe('a file that contradicts its layout is refused with the place', () => {
  const signed = { columns: { Jour: 'date', Boutique: 'description', Combien: 'amount', Solde: 'balance' }, amounts: 'signed' };

  it.each<[what: string, text: string, layout: object, message: RegExp]>([
    ['another header', rows('a,b,c', '2026-04-03,Tea,-1.50'), CARD, /^No line has the header that the layout “Ours” says\.$/],
    [
      'a column that is not there',
      rows('Export', 'Jour,Boutique,Somme', '2026-04-03,Tea,-1.50'),
      CARD,
      /^The header on line 2 has no column “Combien”, which the layout “Ours” has\.$/,
    ],
    [
      'a column that the layout does not have',
      rows('Jour,Boutique,Ville,Combien', '2026-04-03,Tea,Lyon,-1.50'),
      CARD,
      /^Column 3 of the header on line 1 is not in the layout “Ours”\. Add it/,
    ],
    [
      'a header on another line',
      rows('Jour,Boutique,Combien', '2026-04-03,Tea,-1.50'),
      { ...CARD, headerRow: 2 },
      /^The header is on line 1, but on line 2 in the layout “Ours”\.$/,
    ],
    [
      'another number of cells',
      rows('2026-04-03,Tea,-1.50'),
      { width: 4, columns: { '1': 'date', '4': 'amount' } },
      /^The rows do not have 4 cells, as the layout “Ours” says\.$/,
    ],
    [
      'no dates in the column for them',
      rows('Jour,Boutique,Combien', 'Tea,2026-04-03,-1.50'),
      CARD,
      /^Column 1 has no date, from line 2 on, but is date in the layout “Ours”\.$/,
    ],
    [
      'a date that the order does not have',
      rows('Jour,Boutique,Combien', '03/04/2026,Tea,-1.50', '31/03/2026,Tea,-1.50'),
      { ...CARD, dates: 'month-day' },
      /^Line 3 has a date that does not exist as month-day, the order in the layout “Ours”\.$/,
    ],
    [
      'a date with points, of which the day is the first number',
      rows('Jour,Boutique,Combien', '03.04.2026,Tea,-1.50'),
      { ...CARD, dates: 'month-day' },
      /^Line 2 has a date that does not exist as month-day/,
    ],
    [
      'a date that does not begin with the year',
      rows('Jour,Boutique,Combien', '03/03/2026,Tea,-1.50'),
      { ...CARD, dates: 'year-month' },
      /^Line 2 has a date that does not exist as year-month/,
    ],
    [
      'balances that follow from the opposite signs',
      rows('Jour,Boutique,Combien,Solde', '2026-04-03,Tea,1.50,98.50', '2026-04-04,Tea,2.50,96.00', '2026-04-05,Refund,-3.00,99.00'),
      signed,
      /^From line 3 on, the balances follow from the amounts with the other sign than the layout “Ours” says\.$/,
    ],
    [
      'a charge with a sign',
      rows('Jour,Boutique,Combien,Credit', '2026-04-03,Tea,1.50,', '2026-04-04,Tea,-9.00,'),
      { columns: { Jour: 'date', Boutique: 'description', Combien: 'debit', Credit: 'credit' }, amounts: 'charges-positive' },
      /^Line 3 has a charge with a minus sign, but the layout “Ours” says charges-positive\.$/,
    ],
    ['a file that is no table', rows('!Type:Bank', 'D03/04/2026', 'T-1.50', '^'), CARD, /^The file is no table/],
  ])('%s', async (_what, text, layout, message) => {
    await expect(by(text, layout)).rejects.toMatchObject({ code: 'layout_does_not_fit', message: expect.stringMatching(message) });
  });

  it('and so are payments of which some have a sign', async () => {
    const text = rows('Jour,Boutique,Combien,Credit', '2026-04-03,Refund,,1.50', '2026-04-04,Payment,,-9.00');
    const layout = { columns: { Jour: 'date', Boutique: 'description', Combien: 'debit', Credit: 'credit' }, amounts: 'charges-positive' };
    await expect(by(text, layout)).rejects.toMatchObject({
      code: 'ambiguous_amount',
      message: expect.stringMatching(/^Line 3 has another/),
    });
  });

  it('but a missing row is a warning, as without a layout', async () => {
    const read = await by(rows('Jour,Boutique,Combien,Solde', '2026-04-03,Tea,-1.50,98.50', '2026-04-05,Tea,-3.00,93.00'), signed);
    expect(codesOf(read)).toContain('balances_do_not_tie');
  });
});

describe('the layout of a file', () => {
  const discover = rows('Trans. Date,Post Date,Description,Amount,Category', '03/30/2026,03/31/2026,TULIP,4.20,Food');
  const own = (name: string, category: string) =>
    layoutOf({
      name,
      columns: { 'Trans. Date': 'date', 'Post Date': 'date', Description: 'description', Amount: 'amount', Category: category },
      amounts: 'charges-positive',
    });
  const readWith = async (options: { layout?: WrittenLayout; layouts?: readonly WrittenLayout[] }) =>
    (await readAll(discover, 'a.csv', undefined, options)).layout;

  it('is the one named at the import, else the kept one, else the shipped one, for the header in any order and case', async () => {
    const [kept, given] = [own('Kept', 'ignore'), own('Given', 'note')];
    expect(await readWith({ layout: given, layouts: [kept] })).toEqual({ name: 'Given', from: 'import' });
    expect(await readWith({ layouts: [own('Other', 'kind'), kept] })).toEqual({ name: 'Kept', from: 'organization' });
    expect(await readWith({})).toEqual({ name: 'cards/discover', from: 'shipped' });
    const read = await readAll(rows('CATEGORY;amount;Déscription;post date;trans date', 'Food;4.20;TULIP;03/31/2026;03/30/2026'));
    expect([read.layout?.name, ...bookingsOf(read)]).toEqual(['cards/discover', '2026-03-31 -4.20']);
  });

  it('is not that of a header with one name more or less', async () => {
    const read = await readAll(rows('Trans. Date,Post Date,Description,Amount', '03/30/2026,03/31/2026,TULIP,4.20'));
    expect([read.layout, bookingsOf(read)]).toEqual([null, ['2026-03-31 4.20']]);
  });

  it('that is not used for a header of one name more is a warning, because of the signs', async () => {
    const header = 'Trans. Date,Post Date,Description,Amount,Category,Points';
    const read = await readAll(rows(header, '03/30/2026,03/31/2026,TULIP,4.20,Food,4'));
    expect([read.layout, read.warnings[0]?.code]).toEqual([null, 'layout_not_used']);
    expect(codesOf(await readAll(rows('Date,Description,Amount,Account', '2026-03-31,TULIP,-4.20,1')))).not.toContain('layout_not_used');
    const more = await readAll(rows(header, '03/30/2026,03/31/2026,TULIP,4.20,Food,4'), 'a.csv', undefined, {
      layouts: [layoutOf({ ...own('Kept', 'kind'), header: ['Points'] })],
    });
    expect([more.layout?.name, codesOf(more).includes('layout_not_used')]).toEqual(['Kept', false]);
  });

  it('is never a kept one without a header', async () => {
    const numbered = layoutOf({ width: 3, columns: { '1': 'date', '2': 'description', '3': 'amount' }, amounts: 'charges-positive' });
    const read = await readAll('2026-04-03,Tea,-1.50', 'a.csv', undefined, { layouts: [numbered] });
    expect([read.layout, bookingsOf(read)]).toEqual([null, ['2026-04-03 -1.50']]);
  });
});
