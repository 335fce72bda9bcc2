import { describe, expect, it } from 'vitest';
import { MAX_COLUMNS, MAX_LAYOUT_BYTES, parseLayout } from './written-layout.js';

const CARD = { name: 'Our card', columns: { Day: 'date', Shop: 'description', Sum: 'amount' } };
const NUMBERED = { name: 'Numbers', width: 3, columns: { '1': 'date', '2': 'description', '3': 'amount' } };
const parsed = (layout: unknown) => parseLayout(JSON.stringify(layout));
const columnsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_value, index) => [`Column ${index}`, 'ignore']));

describe('a written layout', () => {
  it.each([
    CARD,
    NUMBERED,
    { ...CARD, header: ['Day', 'Shop', 'Sum', 'City'], headerRow: 4, amounts: 'charges-positive', currency: 'EUR', dates: 'month-day' },
    { ...CARD, columns: { ...CARD.columns, 'D/K': 'direction' }, direction: { out: ['weg'], in: ['her'] } },
    { ...CARD, columns: { ...CARD.columns, State: 'status' }, statuses: { booked: ['K'], notBooked: ['R'] } },
    { ...CARD, decimalMark: ',', shortRows: true },
    { name: 'x'.repeat(60), columns: { ...CARD.columns, ...columnsOf(MAX_COLUMNS - 3) } },
  ])('is accepted: %j', (layout) => {
    expect(parsed(layout)).toEqual(layout);
  });

  it.each<[why: string, layout: unknown, message: RegExp]>([
    ['no object', ['a'], /^layout must be a JSON object\.$/],
    ['no name', { columns: CARD.columns }, /^name is required\.$/],
    ['a name that looks like a file', { ...CARD, name: 'card.json' }, /^name must have 1 to 60 letters.* must not end with \.json\.$/],
    ['a name that looks like a shipped one', { ...CARD, name: 'uk/hsbc' }, /^name must have/],
    ['a field that there is not', { ...CARD, colums: {} }, /^colums is not a field; the fields are name, columns, header, .*shortRows\.$/],
    ['a field of every object', { ...CARD, constructor: {} }, /^constructor is not a field/],
    ['no columns', { ...CARD, columns: {} }, /^columns must have 1 to 100 columns\.$/],
    ['too many columns', { ...CARD, columns: columnsOf(MAX_COLUMNS + 1) }, /^columns must have 1 to 100 columns\.$/],
    [
      'an unknown meaning',
      { ...CARD, columns: { ...CARD.columns, Sum: 'money' } },
      /^columns\.Sum must be one of bookingDate, date, .*ignore\.$/,
    ],
    ['no date', { ...CARD, columns: { Sum: 'amount' } }, /^columns must have a bookingDate, date or valueDate\.$/],
    ['no amount', { ...CARD, columns: { Day: 'date' } }, /^columns must have an amount, a debit or a credit\.$/],
    ['two amounts', { ...CARD, columns: { ...CARD.columns, Rest: 'amount' } }, /^columns must have one amount at most\.$/],
    ['equal names', { ...CARD, columns: { ...CARD.columns, 'day ': 'valueDate' } }, /^columns has two names that differ only in/],
    ['a name without letters', { ...CARD, columns: { ...CARD.columns, '#': 'note' } }, /^columns must be named with letters or digits\.$/],
    [
      'a long name',
      { ...CARD, columns: { ...CARD.columns, ['x'.repeat(101)]: 'note' } },
      /^columns has a name of more than 100 characters\.$/,
    ],
    ['numbers without a width', { ...NUMBERED, width: undefined }, /^width is required if columns are numbered\.$/],
    ['a number beyond the width', { ...NUMBERED, width: 2 }, /^columns\.3 must be a number from 1 to 2, the width\.$/],
    ['a width and a header', { ...NUMBERED, header: ['a'] }, /^header must be absent if there is a width/],
    ['a width beyond the bound', { ...NUMBERED, width: 101 }, /^width must be a whole number from 1 to 100\.$/],
    ['a row beyond the bound', { ...CARD, headerRow: 61 }, /^headerRow must be a whole number from 1 to 60\.$/],
    ['unknown signs', { ...CARD, amounts: 'positive' }, /^amounts must be one of signed, charges-positive\.$/],
    ['an unknown currency', { ...CARD, currency: 'euro' }, /^currency must be a currency such as EUR\.$/],
    ['an unknown order', { ...CARD, dates: 'dd.mm' }, /^dates must be one of day-month, month-day, year-month\.$/],
    ['words without their column', { ...CARD, direction: { out: ['D'], in: ['K'] } }, /^direction needs a column that is the direction\.$/],
    [
      'words for one direction',
      { ...CARD, columns: { ...CARD.columns, 'D/K': 'direction' }, direction: { out: ['D'] } },
      /^direction\.in must be a list of 1 to 20 texts/,
    ],
    [
      'a word for both directions',
      { ...CARD, columns: { ...CARD.columns, 'D/K': 'direction' }, direction: { out: ['D'], in: ['D'] } },
      /^direction must not have a word for both\.$/,
    ],
    [
      'signs beside words',
      { ...CARD, columns: { ...CARD.columns, 'D/K': 'direction' }, amounts: 'signed' },
      /^amounts must be absent if a column is the direction\.$/,
    ],
    ['statuses without their column', { ...CARD, statuses: { booked: ['K'], notBooked: ['R'] } }, /^statuses needs a column that is the/],
    [
      'a word for booked and not',
      { ...CARD, columns: { ...CARD.columns, State: 'status' }, statuses: { booked: ['K'], notBooked: ['K'] } },
      /^statuses must not have a word for both\.$/,
    ],
    ['an unknown mark', { ...CARD, decimalMark: ';' }, /^decimalMark must be one of \., ,\.$/],
    ['a text that is no flag', { ...CARD, shortRows: 'true' }, /^shortRows must be true or false\.$/],
    ['no list', { ...CARD, header: 'Day' }, /^header must be a list of 1 to 100 texts/],
  ])('is refused with the field and what is allowed: %s', (_why, layout, message) => {
    expect(() => parsed(layout)).toThrow(message);
  });

  it('is refused if it is no JSON or too large, without its text', () => {
    expect(() => parseLayout('{"name": secret')).toThrow(/^layout must be a JSON object\.$/);
    expect(() => parseLayout(' '.repeat(MAX_LAYOUT_BYTES + 1))).toThrow(/^layout must have at most 20480 bytes\.$/);
  });
});
