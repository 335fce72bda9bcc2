import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ca/cibc',
  width: 4,
  columns: {
    '1': 'date',
    '2': 'description',
    '3': 'debit',
    '4': 'credit',
  },
} satisfies WrittenLayout;
