import { expect, it } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { Problem } from '../../kernel/problems.js';
import { PageQuery } from '../dto/page.js';
import { CalendarDate, DateTime, Decimal, Integer, Money, Percent, Text } from './fields.js';
import { WithRanges } from './ranges.js';
import { validateRequest } from './validate-request.js';

class TripDto {
  @Decimal({ about: 'A distance.', places: 1, min: '0', max: '2000', optional: true, default: '0' }) distance?: string;
  @Money({ about: 'A price.', nullable: true }) price: string | null;
  @Percent({ about: 'A share.' }) share: string;
  @Integer({ about: 'Seats.', min: 1, max: 9 }) seats: number;
  @CalendarDate({ about: 'A day.' }) bookedOn: string;
  @DateTime({ about: 'A time.' }) startsAt: string;
  @Text({ about: 'A text.' }) purpose: string;
}
const NAMES = ['distance', 'price', 'share', 'seats', 'bookedOn', 'startsAt'] as const;
class TripsQuery extends WithRanges(PageQuery, TripDto, NAMES) {
  @Text({ about: 'A text.', max: 5, optional: true }) search?: string;
}
const list = anOperation({ query: TripsQuery });

const read = (query: Record<string, string>) => validateRequest(list, { params: {}, query, url: '/' }).query as TripsQuery;

function errorsOf(query: Record<string, string>): string[] {
  try {
    read(query);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors.map(({ location, field, code, message }) => `${location} ${field} ${code} ${message}`);
  }
}

it.each([
  ['distance', '9.5', '10', 'less than'],
  ['price', '-10', '-9.99', 'less than'],
  ['share', '9', '10.5', 'less than'],
  ['seats', '2', '9', 'less than'],
  ['booked_on', '2026-02-28', '2026-03-01', 'before'],
  ['starts_at', '2026-03-01T09:00:00.000500+02:00', '2026-03-01T07:00:00.001Z', 'before'],
])('a range of %s may begin and end anywhere, and is refused where it ends before it begins', (name, low, high, before) => {
  const [from, to] = [`${name}_from`, `${name}_to`];
  for (const query of [{ [from]: high }, { [to]: low }, { [from]: low, [to]: high }, { [from]: low, [to]: low }])
    expect(errorsOf(query), JSON.stringify(query)).toEqual([]);
  expect(errorsOf({ [from]: high, [to]: low })).toEqual([`query ${to} before_start must not be ${before} ${from}`]);
});

it('each end is a value of the field, and may be left out', () => {
  expect(errorsOf({ distance_from: '1.25', seats_to: '10', price_from: '' }).map((error) => error.split(' ')[2])).toEqual([
    'invalid_decimal',
    'invalid_amount',
    'out_of_range',
  ]);
  expect(read({})).toEqual(new TripsQuery());
});

it('gives the conditions of a query, for a page of a repository', () => {
  const query = read({ seats_from: '2', seats_to: '9', booked_on_to: '2026-03-01', search: 'a' });
  expect(JSON.parse(JSON.stringify(TripsQuery.rangesIn(query)))).toEqual({ 'seats>=': '2', 'seats<=': '9', 'bookedOn<=': '2026-03-01' });
});

it('refuses a range of a field that has no order, and two filters of one name', () => {
  expect(() => WithRanges(PageQuery, TripDto, ['purpose'])).toThrow('There are no ranges of purpose');
  expect(() => WithRanges(PageQuery, TripDto, ['seats', 'seats'])).toThrow('There are two filters seats_from.');
});
