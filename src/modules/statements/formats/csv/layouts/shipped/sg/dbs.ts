import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'sg/dbs',
  columns: {
    'Transaction Date': 'date',
    Reference: 'reference',
    'Debit Amount': 'debit',
    'Credit Amount': 'credit',
    'Transaction Ref1': 'note',
    'Transaction Ref2': 'note',
    'Transaction Ref3': 'note',
  },
} satisfies WrittenLayout;
