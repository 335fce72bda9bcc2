import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/wells-fargo',
  width: 5,
  amounts: 'signed',
  dates: 'month-day',
  columns: {
    '1': 'date',
    '2': 'amount',
    '3': 'ignore',
    '4': 'reference',
    '5': 'description',
  },
} satisfies WrittenLayout;
