import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/n26',
  amounts: 'signed',
  columns: {
    'Booking Date': 'bookingDate',
    'Value Date': 'valueDate',
    'Partner Name': 'counterparty',
    'Partner Iban': 'counterpartyAccount',
    Type: 'kind',
    'Payment Reference': 'description',
    'Account Name': 'holder',
    'Amount (EUR)': 'amount',
    'Original Amount': 'note',
    'Original Currency': 'note',
    'Exchange Rate': 'note',
  },
} satisfies WrittenLayout;
