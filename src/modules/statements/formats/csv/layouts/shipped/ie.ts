import type { WrittenLayout } from '../written-layout.js';

export const IE: readonly WrittenLayout[] = [
  {
    name: 'ie/aib',
    dates: 'day-month',
    columns: {
      'Posted Account': 'ownAccount',
      'Posted Transactions Date': 'bookingDate',
      Description1: 'description',
      Description2: 'description',
      Description3: 'description',
      'Debit Amount': 'debit',
      'Credit Amount': 'credit',
      Balance: 'balance',
      'Posted Currency': 'currency',
      'Transaction Type': 'kind',
      'Local Currency Amount': 'note',
      'Local Currency': 'note',
    },
  },
  {
    name: 'ie/bank-of-ireland',
    columns: {
      Date: 'date',
      Details: 'description',
      Debit: 'debit',
      Credit: 'credit',
      Balance: 'balance',
    },
  },
];
