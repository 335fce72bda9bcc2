import fc from 'fast-check';

type Document = Record<string, unknown>;

/** Some of the optional keys, and some keys of the integrator's own. */
const withOwnKeys = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Document> =>
  fc
    .tuple(
      fc.record(model, { requiredKeys: [] }),
      fc.dictionary(fc.constantFrom('yours', 'yoursToo'), fc.jsonValue(), { noNullPrototype: true }),
    )
    .map(([ours, yours]) => ({ ...ours, ...yours }));

const aText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== '' && text.isWellFormed());
const aWord = fc.constantFrom('rail', 'Ticket', 'Straße', 'Müller', 'GmbH & Co.');
const aPattern = fc
  .array(fc.constantFrom('rail', '\\bbus', '(a|b)+', '[0-9]{2,4}', '\\d', '^x', 'y$', '\\pL', 'ß', '.*'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));
const aSize = fc.oneof(
  fc.nat({ max: 1_000_000 }),
  fc.nat({ max: 1_000_000 }).map((cents) => cents / 100),
  fc.tuple(fc.nat(), fc.nat({ max: 9999 })).map(([whole, decimals]) => `${whole}.${String(decimals).padStart(4, '0')}`),
);
const aDate = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const aCurrency = fc.constantFrom('EUR', 'usd', 'Chf');
const several = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 });
const inOrder = <T>(value: fc.Arbitrary<T>) =>
  fc
    .tuple(value, value)
    .map(([a, b]) => ((typeof a === 'string' && Number.isNaN(Number(a)) ? a <= b : Number(a) <= Number(b)) ? [a, b] : [b, a]));

const test = (field: fc.Arbitrary<string>, ops: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<Document> =>
  fc.record({ field, op: fc.constantFrom(...ops), value });
const textField = fc.constantFrom('description', 'counterparty', 'account', 'reference');
const values = <T>(field: string, value: fc.Arbitrary<T>): fc.Arbitrary<Document>[] => [
  test(fc.constant(field), ['is', 'isNot'], value),
  test(fc.constant(field), ['oneOf'], several(value)),
];
const ordered = <T>(field: string, value: fc.Arbitrary<T>): fc.Arbitrary<Document>[] => [
  ...values(field, value),
  test(fc.constant(field), ['gte', 'lte'], value),
  test(fc.constant(field), ['between'], inOrder(value)),
];

const aCondition = fc.oneof(
  test(textField, ['is', 'isNot', 'contains', 'startsWith', 'endsWith'], fc.oneof(aText, aWord)),
  test(textField, ['oneOf'], several(fc.oneof(aText, aWord))),
  test(textField, ['matches'], aPattern),
  ...ordered('amount', aSize),
  ...ordered('date', aDate),
  ...values('direction', fc.constantFrom('in', 'out')),
  ...values('currency', aCurrency),
);

const aPercent = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom('33.3333', 12.5, '100'));
const aRule = fc
  .tuple(
    fc.record(
      {
        id: aText,
        claimablePercent: aPercent,
        taxPercent: fc.option(aPercent),
        none: fc.array(aCondition, { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
    fc.oneof(
      fc.record({ all: fc.array(aCondition, { minLength: 1, maxLength: 4 }) }),
      fc.record({ any: fc.array(aCondition, { minLength: 1, maxLength: 4 }) }),
      fc.record({ all: fc.array(aCondition, { minLength: 1, maxLength: 2 }), any: fc.array(aCondition, { maxLength: 2 }) }),
    ),
  )
  .map(([more, conditions]) => ({ ...more, ...conditions }));

/** Documents that follow the grammar. */
const anAccount = fc.option(fc.oneof(aText, fc.nat(), fc.constantFrom('4660', '0650')));
export const anySourceMapping = withOwnKeys({
  rules: fc.array(aRule, { maxLength: 6 }),
  priority: fc.integer(),
  account: anAccount,
  contraAccount: anAccount,
  taxKey: anAccount,
});
export const anyCategoryFilter = withOwnKeys({
  include: several(fc.oneof(aText, fc.constantFrom('CLOUD*', '*-TEST', '*'))),
  exclude: fc.array(fc.oneof(aText, fc.constantFrom('CLOUD*', '*-TEST')), { maxLength: 4 }),
  status: several(fc.constantFrom('active', 'archived')),
});
const anyDatev = fc.record(
  {
    consultantNumber: fc.integer({ min: 1001, max: 9_999_999 }),
    clientNumber: fc.integer({ min: 1, max: 99_999 }),
    fiscalYearStart: aDate,
    accountLength: fc.integer({ min: 4, max: 8 }),
  },
  { requiredKeys: ['consultantNumber', 'clientNumber', 'fiscalYearStart'] },
);
const anyOptions = withOwnKeys({
  formats: fc.array(fc.constantFrom('json', 'csv', 'xlsx', 'pdf', 'journal', 'evidence'), { maxLength: 6 }),
  groupBy: fc.array(fc.constantFrom('category', 'month'), { maxLength: 3 }),
  currency: fc.option(aCurrency),
  includeUncategorised: fc.boolean(),
  detail: fc.constantFrom('none', 'lines'),
  locale: fc.constantFrom('en', 'de-CH', 'zh-Hant-TW', 'EN-gb'),
  paperSize: fc.constantFrom('a4', 'letter', null),
});
const anyOptionsForDatev = fc
  .tuple(anyOptions, anyDatev)
  .map(([options, datev]): Document => ({ ...options, formats: ['datev', ...((options.formats as string[] | undefined) ?? [])], datev }));
const aRate = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom('0.9213', 1.0855, '0.0000571234', '162.4'));
const aRateRow = fc
  .tuple(fc.constantFrom('USD', 'chf'), aRate, fc.boolean())
  .map(([currency, rate, byMonth]) => ({ currency, rate, ...(byMonth ? { month: '2026-03' } : { day: '2026-04-01' }) }));
const someRates = fc.oneof(
  fc.constantFrom(null, 'ecb'),
  fc.record({
    source: aText,
    table: fc.uniqueArray(aRateRow, { minLength: 1, maxLength: 4, selector: (row) => `${row.currency} ${'month' in row}` }),
  }),
);
const anyOptionsWithRates = fc.tuple(anyOptions, someRates).map(([options, rates]): Document => ({ ...options, currency: 'eur', rates }));
export const anyOutputOptions = fc.oneof(anyOptions, anyOptionsForDatev, anyOptionsWithRates);
