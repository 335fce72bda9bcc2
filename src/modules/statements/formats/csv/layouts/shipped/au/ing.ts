import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'au/ing',
  columns: {
    Date: 'date',
    Description: 'description',
    Credit: 'credit',
    Debit: 'debit',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
