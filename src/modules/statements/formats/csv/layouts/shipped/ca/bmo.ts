import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ca/bmo',
  columns: {
    'First Bank Card': 'ownAccount',
    'Transaction Type': 'kind',
    'Date Posted': 'bookingDate',
    'Transaction Amount': 'amount',
    Description: 'description',
  },
} satisfies WrittenLayout;
