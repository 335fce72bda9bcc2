import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/n26-payee',
  amounts: 'signed',
  columns: {
    Date: 'date',
    Payee: 'counterparty',
    'Account number': 'counterpartyAccount',
    'Transaction type': 'kind',
    'Payment reference': 'description',
    'Amount (EUR)': 'amount',
    'Amount (Foreign Currency)': 'note',
    'Type Foreign Currency': 'note',
    'Exchange Rate': 'note',
  },
} satisfies WrittenLayout;
