import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/amex-us-details',
  amounts: 'charges-positive',
  columns: {
    Date: 'date',
    Description: 'description',
    Amount: 'amount',
    'Extended Details': 'description',
    'Appears On Your Statement As': 'note',
    Address: 'counterpartyAddress',
    'City/State': 'counterpartyAddress',
    'Zip Code': 'counterpartyAddress',
    Country: 'counterpartyAddress',
    Reference: 'reference',
    Category: 'kind',
  },
} satisfies WrittenLayout;
