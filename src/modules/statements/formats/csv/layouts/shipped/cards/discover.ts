import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/discover',
  amounts: 'charges-positive',
  dates: 'month-day',
  columns: {
    'Trans. Date': 'date',
    'Post Date': 'bookingDate',
    Description: 'description',
    Amount: 'amount',
    Category: 'kind',
  },
} satisfies WrittenLayout;
