import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'at/bawag',
  width: 6,
  amounts: 'signed',
  columns: {
    '1': 'ownAccount',
    '2': 'description',
    '3': 'bookingDate',
    '4': 'valueDate',
    '5': 'amount',
    '6': 'currency',
  },
} satisfies WrittenLayout;
