import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/pnc',
  columns: {
    Date: 'date',
    Description: 'description',
    Withdrawals: 'debit',
    Deposits: 'credit',
    Category: 'kind',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
