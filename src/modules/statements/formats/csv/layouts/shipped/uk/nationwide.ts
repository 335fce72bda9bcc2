import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/nationwide',
  columns: {
    Date: 'date',
    'Transaction type': 'kind',
    Description: 'description',
    'Paid out': 'debit',
    'Paid in': 'credit',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
