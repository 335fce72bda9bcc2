import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fintech/stripe-payouts',
  columns: {
    id: 'bankReference',
    Amount: 'amount',
    Currency: 'currency',
    'Arrival Date (UTC)': 'otherDate',
    'Created (UTC)': 'date',
    Description: 'description',
    Status: 'status',
  },
} satisfies WrittenLayout;
