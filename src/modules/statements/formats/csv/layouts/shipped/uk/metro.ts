import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/metro',
  columns: {
    Date: 'date',
    Reference: 'reference',
    'Transaction Type': 'kind',
    'Money In': 'credit',
    'Money Out': 'debit',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
