import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'au/westpac',
  dates: 'day-month',
  columns: {
    'Bank Account': 'ownAccount',
    Date: 'date',
    Narrative: 'description',
    'Debit Amount': 'debit',
    'Credit Amount': 'credit',
    Balance: 'balance',
    Categories: 'kind',
    Serial: 'reference',
  },
} satisfies WrittenLayout;
