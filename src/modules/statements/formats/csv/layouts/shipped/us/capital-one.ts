import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/capital-one',
  columns: {
    'Transaction Date': 'date',
    'Posted Date': 'bookingDate',
    'Card No.': 'ownAccount',
    Description: 'description',
    Category: 'kind',
    Debit: 'debit',
    Credit: 'credit',
  },
} satisfies WrittenLayout;
