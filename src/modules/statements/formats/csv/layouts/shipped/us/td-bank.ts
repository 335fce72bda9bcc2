import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/td-bank',
  columns: {
    Date: 'date',
    'Bank RTN': 'ignore',
    'Account Number': 'ownAccount',
    'Transaction Type': 'kind',
    Description: 'description',
    Debit: 'debit',
    Credit: 'credit',
    'Check Number': 'reference',
    'Account Running Balance': 'balance',
  },
} satisfies WrittenLayout;
