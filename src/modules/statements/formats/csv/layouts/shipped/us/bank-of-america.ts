import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/bank-of-america',
  dates: 'month-day',
  columns: {
    Date: 'date',
    Description: 'description',
    Amount: 'amount',
    'Running Bal.': 'balance',
  },
} satisfies WrittenLayout;
