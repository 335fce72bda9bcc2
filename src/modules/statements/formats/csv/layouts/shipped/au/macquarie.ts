import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'au/macquarie',
  columns: {
    'Transaction Date': 'date',
    Details: 'description',
    Account: 'ownAccount',
    Category: 'kind',
    Subcategory: 'kind',
    Tags: 'kind',
    Notes: 'description',
    Debit: 'debit',
    Credit: 'credit',
    Balance: 'balance',
    'Original Description': 'description',
  },
} satisfies WrittenLayout;
