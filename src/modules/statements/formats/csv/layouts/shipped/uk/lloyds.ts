import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/lloyds',
  dates: 'day-month',
  columns: {
    'Transaction Date': 'date',
    'Transaction Type': 'kind',
    'Sort Code': 'ignore',
    'Account Number': 'ownAccount',
    'Transaction Description': 'description',
    'Debit Amount': 'debit',
    'Credit Amount': 'credit',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
