import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/amex-receipt',
  amounts: 'charges-positive',
  columns: {
    Date: 'date',
    Receipt: 'ignore',
    Description: 'description',
    'Card Member': 'holder',
    'Account #': 'ownAccount',
    Amount: 'amount',
  },
} satisfies WrittenLayout;
