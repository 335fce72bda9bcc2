import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'sg/ocbc',
  columns: {
    'Transaction date': 'date',
    'Value date': 'valueDate',
    Description: 'description',
    'Withdrawals (SGD)': 'debit',
    'Deposits (SGD)': 'credit',
  },
} satisfies WrittenLayout;
