import { AMOUNT_SIGNS, DECIMAL_MARKS, LAYOUT_WORDS, type WrittenLayout } from '../../tools/bank-tables/index.js';
import { DATE_ORDERS } from '../../tools/bank-files/index.js';

const MAX_COLUMNS = 100;
const texts = (most: number) => ({ type: 'array', minItems: 1, maxItems: most, items: { type: 'string', maxLength: 100 } });
const number = (most: number) => ({ type: 'integer', minimum: 1, maximum: most });
const words = (...keys: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, texts(20)])),
  required: keys,
  additionalProperties: false,
});

const FIELDS: Readonly<Record<keyof WrittenLayout, object>> = {
  name: { type: 'string', pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,59}$', not: { pattern: '\\.json$' } },
  columns: {
    description: 'What columns are: by their names in the header, or without a header by their numbers from 1.',
    type: 'object',
    minProperties: 1,
    maxProperties: MAX_COLUMNS,
    propertyNames: { maxLength: 100 },
    additionalProperties: { enum: LAYOUT_WORDS },
  },
  header: { description: 'All names of the header, if `columns` does not have them all.', ...texts(MAX_COLUMNS) },
  width: { description: 'For files without a header: how many cells a row has.', ...number(MAX_COLUMNS) },
  headerRow: { description: 'The line of the header; without a header, the last line before the bookings.', ...number(60) },
  amounts: { enum: AMOUNT_SIGNS },
  direction: { description: 'Words in the column `direction`, if they are not known.', ...words('out', 'in') },
  currency: { description: 'ISO 4217, for lines that name none.', type: 'string', pattern: '^[A-Z]{3}$' },
  dates: { enum: DATE_ORDERS },
  decimalMark: { enum: DECIMAL_MARKS },
  statuses: { description: 'Words in the column `status`, if they are not known.', ...words('booked', 'notBooked') },
  shortRows: { description: 'Whether rows may end before their last columns, if these are texts.', type: 'boolean' },
};

/** What a layout is, for editors and other programs. What depends on several fields is only said by the command. */
export const layoutSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'How to read the tables of one export of a bank',
  type: 'object',
  properties: FIELDS,
  required: ['name', 'columns'],
  additionalProperties: false,
});
