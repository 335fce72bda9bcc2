import type { WrittenLayout } from '../written-layout.js';

export const SG: readonly WrittenLayout[] = [
  {
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
  },
  {
    name: 'sg/ocbc',
    columns: {
      'Transaction date': 'date',
      'Value date': 'valueDate',
      Description: 'description',
      'Withdrawals (SGD)': 'debit',
      'Deposits (SGD)': 'credit',
    },
  },
];
