import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/chase-checking',
  amounts: 'signed',
  dates: 'month-day',
  columns: {
    Details: 'description',
    'Posting Date': 'bookingDate',
    Description: 'description',
    Amount: 'amount',
    Type: 'kind',
    Balance: 'balance',
    'Check or Slip #': 'reference',
  },
} satisfies WrittenLayout;
