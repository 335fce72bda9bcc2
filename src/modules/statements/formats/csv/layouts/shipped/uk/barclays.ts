import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/barclays',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Number: 'ignore',
    Date: 'date',
    Account: 'ownAccount',
    Amount: 'amount',
    Subcategory: 'kind',
    Memo: 'description',
  },
} satisfies WrittenLayout;
