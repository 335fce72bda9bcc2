import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/amex-uk-details',
  amounts: 'charges-positive',
  dates: 'day-month',
  columns: {
    Date: 'date',
    Description: 'description',
    Amount: 'amount',
    'Extended Details': 'description',
    'Appears On Your Statement As': 'note',
    Address: 'counterpartyAddress',
    'Town/City': 'counterpartyAddress',
    Postcode: 'counterpartyAddress',
    Country: 'counterpartyAddress',
    Reference: 'reference',
    Category: 'kind',
  },
} satisfies WrittenLayout;
