import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/apple-card-single',
  amounts: 'charges-positive',
  dates: 'month-day',
  columns: {
    'Transaction Date': 'date',
    'Clearing Date': 'bookingDate',
    Description: 'description',
    Merchant: 'counterparty',
    Category: 'kind',
    Type: 'kind',
    'Amount (USD)': 'amount',
  },
} satisfies WrittenLayout;
