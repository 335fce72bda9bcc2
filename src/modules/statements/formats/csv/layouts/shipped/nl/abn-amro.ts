import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'nl/abn-amro',
  width: 8,
  amounts: 'signed',
  columns: {
    '1': 'ownAccount',
    '2': 'currency',
    '3': 'bookingDate',
    '4': 'ignore',
    '5': 'balance',
    '6': 'valueDate',
    '7': 'amount',
    '8': 'description',
  },
} satisfies WrittenLayout;
