import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/schwab',
  dates: 'month-day',
  columns: {
    Date: 'date',
    Status: 'status',
    Type: 'kind',
    CheckNumber: 'reference',
    Description: 'description',
    Withdrawal: 'debit',
    Deposit: 'credit',
    RunningBalance: 'balance',
  },
} satisfies WrittenLayout;
