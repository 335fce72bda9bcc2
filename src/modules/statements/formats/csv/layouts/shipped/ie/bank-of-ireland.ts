import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ie/bank-of-ireland',
  columns: {
    Date: 'date',
    Details: 'description',
    Debit: 'debit',
    Credit: 'credit',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
