import { expect, it } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { Problem } from '../../kernel/problems.js';
import { documentFields } from './document-fields.js';
import { fieldsOf } from './field.js';
import { Changes, Country, Currency, Decimal, Email, field, Matching, Money } from './fields.js';
import { validateRequest } from './validate-request.js';

/** A field that a module declares for itself. */
const Rating = (about: string): PropertyDecorator =>
  field({
    about: { about, example: 4, optional: true },
    schema: { type: 'integer', enum: [1, 2, 4] },
    check: (value) => ([1, 2, 4].includes(value as number) ? undefined : { code: 'not_allowed', message: 'must be 1, 2 or 4' }),
  });

class OfferDto {
  @Country({ about: 'A country.', optional: true }) country?: string;
  @Currency({ about: 'A currency.', optional: true }) currency?: string;
  @Money({ about: 'A price.', optional: true, nullable: true }) price?: string | null;
  @Decimal({ about: 'A distance in km.', places: 1, min: '-0.5', max: '120', optional: true }) distance?: string;
  @Decimal({ about: 'Hours.', places: 2, min: '0', max: '24', optional: true }) hours?: string;
  @Email({ about: 'An address.', optional: true }) contact?: string;
  @Matching(/[A-Z]{2}-\d+/, { about: 'A number.', max: 6, expected: 'a number like AB-12', example: 'AB-12', optional: true })
  number?: string;
  @Rating('A rating.') rating?: number;
}
class ChangeOfferDto extends Changes(OfferDto) {}

function problemsOf(body: Record<string, unknown>): string[] {
  try {
    validateRequest(anOperation({ method: 'PATCH', body: ChangeOfferDto }), { params: {}, query: {}, body, url: '/' });
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors.map(({ field: name, code }) => `${name} ${code}`);
  }
}

it.each<[string, unknown[], Record<string, unknown[]>]>([
  ['country', ['DE', 'US'], { wrong_type: [1, null, ['DE']], invalid_country: ['', 'de', 'XX', 'UK', 'DEU', 'DE ', 'D\u0000'] }],
  ['currency', ['EUR', 'JPY'], { wrong_type: [978, null], invalid_currency: ['', 'eur', 'EURO', 'DEM', 'XXX'] }],
  [
    'price',
    [null, '0', '12.50', '-0.1', '123456789012345678.123456789012345678'],
    {
      wrong_type: [12.5, [], {}],
      invalid_amount: ['', '012', '+1', '-0', '-0.00', '1.', '.5', '1,5', '1e3', ' 1', '1234567890123456789', 'NaN'],
    },
  ],
  [
    'distance',
    ['12.5', '0', '-0.5', '120', '120.0', '-0.1'],
    {
      wrong_type: [12.5, null, []],
      invalid_decimal: ['', '12.55', '012', '+1', '-0', '-0.0', '1.', '.5', '1,5', '1e1', ' 1', '1234567890123456789'],
      out_of_range: ['120.1', '-0.6', '1000'],
    },
  ],
  ['hours', ['7.25', '24.00', '0'], { invalid_decimal: ['7.255', '-0'], out_of_range: ['24.01', '-1', '100'] }],
  [
    'contact',
    ['jane@accountants.example'],
    { wrong_type: [1, null], invalid_email: ['', 'x', 'a@', 'a@b@c', 'a b@c', 'a\ud800@b', 'a\u0000@b'] },
  ],
  [
    'number',
    ['AB-12'],
    { wrong_type: [1, null], too_long: ['AB-1234'], not_allowed: ['', 'AB-', 'xAB-1', 'ab-1'], invalid_text: ['AB\u0000'] },
  ],
  ['rating', [1, 4], { not_allowed: [3, '1', null] }],
])('%s accepts valid values, and refuses others with a code', (name, valid, invalid) => {
  for (const value of valid) expect(problemsOf({ [name]: value }), JSON.stringify(value)).toEqual([]);
  for (const [code, values] of Object.entries(invalid))
    for (const value of values) expect(problemsOf({ [name]: value }), JSON.stringify(value)).toEqual([`${name} ${code}`]);
});

it('each is documented with an example, and its form', () => {
  documentFields();
  const documented = (name: string) =>
    Reflect.getMetadata('swagger/apiModelProperties', OfferDto.prototype, name) as Record<string, unknown>;
  expect(documented('country')).toMatchObject({ pattern: '^[A-Z]{2}$', example: 'DE' });
  expect(documented('currency')).toMatchObject({ pattern: '^[A-Z]{3}$', example: 'EUR' });
  expect(documented('contact')).toMatchObject({ format: 'email', maxLength: 254, example: 'jane@accountants.example' });
  expect(documented('number')).toMatchObject({ pattern: '^(?:[A-Z]{2}-\\d+)$', maxLength: 6 });
  expect(documented('rating')).toMatchObject({ type: 'integer', enum: [1, 2, 4], description: 'A rating.' });
  const price = new RegExp(documented('price').pattern as string);
  for (const text of ['0', '12.50', '-0.1']) expect([text, price.test(text)]).toEqual([text, true]);
  for (const text of ['-0', '01', '1.', '1e3']) expect([text, price.test(text)]).toEqual([text, false]);
});

it('a decimal is documented with the digits that its bounds have, which its texts must fit', () => {
  const declared = (places: number, min: string, max: string) => {
    class Bounded {
      @Decimal({ about: 'A quantity.', places, min, max }) quantity: string;
    }
    const { schema, about } = fieldsOf(Bounded.prototype).get('quantity')!;
    return { fits: (text: string) => new RegExp(schema.pattern!).test(text), maxLength: schema.maxLength, about };
  };
  const hours = declared(2, '0', '24');
  expect(['0', '7.25', '99.99', '-1', '100', '7.255'].map(hours.fits)).toEqual([true, true, true, false, false, false]);
  expect([hours.maxLength, hours.about.about]).toEqual([5, 'A quantity. From 0 to 24, with at most 2 digits after the point.']);
  expect(hours.about.example).toBe('24');
  const change = declared(1, '-100', '5');
  expect(['-100.5', '999', '-0', '1000'].map(change.fits)).toEqual([true, true, false, false]);
  expect([change.maxLength, change.about.about]).toEqual([6, 'A quantity. From -100 to 5, with at most 1 digit after the point.']);
});

it.each([
  [0, '0', '1'],
  [19, '0', '1'],
  [1.5, '0', '1'],
  [1, '2', '1'],
  [1, '0', '1.25'],
  [1, 'x', '1'],
])('refuses the declaration of a decimal that there is not: %s places from %s to %s', (places, min, max) => {
  expect(() => Decimal({ about: 'A quantity.', places, min, max })).toThrow(
    `There is no decimal with ${places} places from ${min} to ${max}.`,
  );
});
