import type { WrittenLayout } from '../../written-layout.js';

export default {
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
} satisfies WrittenLayout;
