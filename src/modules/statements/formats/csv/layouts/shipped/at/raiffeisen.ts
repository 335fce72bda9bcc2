import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'at/raiffeisen',
  width: 6,
  amounts: 'signed',
  columns: {
    '1': 'bookingDate',
    '2': 'description',
    '3': 'valueDate',
    '4': 'amount',
    '5': 'currency',
    '6': 'ignore',
  },
} satisfies WrittenLayout;
