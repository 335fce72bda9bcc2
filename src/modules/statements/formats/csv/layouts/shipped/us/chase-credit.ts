import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/chase-credit',
  dates: 'month-day',
  columns: {
    'Transaction Date': 'date',
    'Post Date': 'bookingDate',
    Description: 'description',
    Category: 'kind',
    Type: 'kind',
    Amount: 'amount',
    Memo: 'description',
  },
} satisfies WrittenLayout;
