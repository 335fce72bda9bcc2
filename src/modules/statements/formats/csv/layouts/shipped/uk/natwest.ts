import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/natwest',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Date: 'date',
    Type: 'kind',
    Description: 'description',
    Value: 'amount',
    Balance: 'balance',
    'Account Name': 'holder',
    'Account Number': 'ownAccount',
  },
} satisfies WrittenLayout;
