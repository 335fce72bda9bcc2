import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/santander',
  columns: {
    Date: 'date',
    Description: 'description',
    'Money In': 'credit',
    'Money Out': 'debit',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
