import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ca/td',
  width: 5,
  dates: 'month-day',
  columns: {
    '1': 'date',
    '2': 'description',
    '3': 'debit',
    '4': 'credit',
    '5': 'balance',
  },
} satisfies WrittenLayout;
