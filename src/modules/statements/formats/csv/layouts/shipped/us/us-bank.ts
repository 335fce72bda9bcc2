import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/us-bank',
  columns: {
    Date: 'date',
    Transaction: 'kind',
    Name: 'counterparty',
    Memo: 'description',
    Amount: 'amount',
  },
} satisfies WrittenLayout;
