import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ca/scotiabank',
  amounts: 'signed',
  columns: {
    Filter: 'ignore',
    Date: 'date',
    Description: 'description',
    'Sub-description': 'description',
    Status: 'status',
    'Type of Transaction': 'kind',
    Amount: 'amount',
  },
} satisfies WrittenLayout;
