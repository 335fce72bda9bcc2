import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fintech/stripe-balance',
  amounts: 'signed',
  columns: {
    id: 'bankReference',
    Type: 'kind',
    Source: 'note',
    Amount: 'note',
    Fee: 'note',
    Net: 'amount',
    Currency: 'currency',
    'Created (UTC)': 'date',
    'Available On (UTC)': 'otherDate',
    Description: 'description',
  },
} satisfies WrittenLayout;
