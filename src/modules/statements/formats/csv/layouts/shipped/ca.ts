import type { WrittenLayout } from '../written-layout.js';

export const CA: readonly WrittenLayout[] = [
  {
    name: 'ca/bmo',
    columns: {
      'First Bank Card': 'ownAccount',
      'Transaction Type': 'kind',
      'Date Posted': 'bookingDate',
      'Transaction Amount': 'amount',
      Description: 'description',
    },
  },
  {
    name: 'ca/cibc',
    width: 4,
    columns: {
      '1': 'date',
      '2': 'description',
      '3': 'debit',
      '4': 'credit',
    },
  },
  {
    name: 'ca/rbc',
    amounts: 'signed',
    dates: 'month-day',
    columns: {
      'Account Type': 'note',
      'Account Number': 'ownAccount',
      'Transaction Date': 'date',
      'Cheque Number': 'reference',
      'Description 1': 'description',
      'Description 2': 'description',
      CAD$: 'amount',
      USD$: 'note',
    },
  },
  {
    name: 'ca/scotiabank',
    amounts: 'signed',
    columns: {
      Filter: 'ignore',
      Date: 'date',
      Description: 'description',
      'Sub-description': 'description',
      Status: 'status',
      'Type of Transaction': 'kind',
      Amount: 'amount',
    },
  },
  {
    name: 'ca/td',
    width: 5,
    dates: 'month-day',
    columns: {
      '1': 'date',
      '2': 'description',
      '3': 'debit',
      '4': 'credit',
      '5': 'balance',
    },
  },
];
