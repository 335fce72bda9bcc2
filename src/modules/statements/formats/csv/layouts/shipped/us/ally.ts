import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/ally',
  columns: {
    Date: 'date',
    Time: 'ignore',
    Amount: 'amount',
    Type: 'kind',
    Description: 'description',
  },
} satisfies WrittenLayout;
