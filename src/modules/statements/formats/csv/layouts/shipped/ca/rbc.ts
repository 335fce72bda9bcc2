import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ca/rbc',
  amounts: 'signed',
  dates: 'month-day',
  columns: {
    'Account Type': 'note',
    'Account Number': 'ownAccount',
    'Transaction Date': 'date',
    'Cheque Number': 'reference',
    'Description 1': 'description',
    'Description 2': 'description',
    CAD$: 'amount',
    USD$: 'note',
  },
} satisfies WrittenLayout;
