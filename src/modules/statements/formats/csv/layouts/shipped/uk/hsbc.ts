import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/hsbc',
  width: 3,
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    '1': 'date',
    '2': 'description',
    '3': 'amount',
  },
} satisfies WrittenLayout;
