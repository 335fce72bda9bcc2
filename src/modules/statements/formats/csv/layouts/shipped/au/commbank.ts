import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'au/commbank',
  width: 4,
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    '1': 'date',
    '2': 'amount',
    '3': 'description',
    '4': 'balance',
  },
} satisfies WrittenLayout;
