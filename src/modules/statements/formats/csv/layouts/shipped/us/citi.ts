import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/citi',
  amounts: 'charges-positive',
  dates: 'month-day',
  columns: {
    Status: 'status',
    Date: 'date',
    Description: 'description',
    Debit: 'debit',
    Credit: 'credit',
  },
} satisfies WrittenLayout;
