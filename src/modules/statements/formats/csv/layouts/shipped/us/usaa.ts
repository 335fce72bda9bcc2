import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'us/usaa',
  columns: {
    Date: 'date',
    Description: 'description',
    'Original Description': 'description',
    Category: 'kind',
    Amount: 'amount',
    Status: 'status',
  },
} satisfies WrittenLayout;
