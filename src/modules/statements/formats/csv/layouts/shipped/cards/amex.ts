import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/amex',
  amounts: 'charges-positive',
  columns: {
    Date: 'date',
    Description: 'description',
    'Card Member': 'holder',
    'Account #': 'ownAccount',
    Amount: 'amount',
  },
} satisfies WrittenLayout;
