import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'au/anz',
  width: 3,
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    '1': 'date',
    '2': 'amount',
    '3': 'description',
  },
} satisfies WrittenLayout;
