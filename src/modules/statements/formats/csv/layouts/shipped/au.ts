import type { WrittenLayout } from '../written-layout.js';

export const AU: readonly WrittenLayout[] = [
  {
    name: 'au/anz',
    width: 3,
    amounts: 'signed',
    dates: 'day-month',
    columns: {
      '1': 'date',
      '2': 'amount',
      '3': 'description',
    },
  },
  {
    name: 'au/commbank',
    width: 4,
    amounts: 'signed',
    dates: 'day-month',
    columns: {
      '1': 'date',
      '2': 'amount',
      '3': 'description',
      '4': 'balance',
    },
  },
  {
    name: 'au/ing',
    columns: {
      Date: 'date',
      Description: 'description',
      Credit: 'credit',
      Debit: 'debit',
      Balance: 'balance',
    },
  },
  {
    name: 'au/macquarie',
    columns: {
      'Transaction Date': 'date',
      Details: 'description',
      Account: 'ownAccount',
      Category: 'kind',
      Subcategory: 'kind',
      Tags: 'kind',
      Notes: 'description',
      Debit: 'debit',
      Credit: 'credit',
      Balance: 'balance',
      'Original Description': 'description',
    },
  },
  {
    name: 'au/nab',
    amounts: 'signed',
    columns: {
      Date: 'date',
      Amount: 'amount',
      'Account Number': 'ownAccount',
      'Transaction Type': 'kind',
      'Transaction Details': 'description',
      Balance: 'balance',
      Category: 'kind',
      'Merchant Name': 'counterparty',
    },
  },
  {
    name: 'au/westpac',
    dates: 'day-month',
    columns: {
      'Bank Account': 'ownAccount',
      Date: 'date',
      Narrative: 'description',
      'Debit Amount': 'debit',
      'Credit Amount': 'credit',
      Balance: 'balance',
      Categories: 'kind',
      Serial: 'reference',
    },
  },
];
