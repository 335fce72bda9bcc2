import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fintech/revolut',
  amounts: 'signed',
  columns: {
    Type: 'kind',
    Product: 'note',
    'Started Date': 'date',
    'Completed Date': 'bookingDate',
    Description: 'description',
    Amount: 'amount',
    Fee: 'fee',
    Currency: 'currency',
    State: 'status',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
