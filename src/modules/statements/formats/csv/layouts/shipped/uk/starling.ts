import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/starling',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Date: 'date',
    'Counter Party': 'counterparty',
    Reference: 'reference',
    Type: 'kind',
    'Amount (GBP)': 'amount',
    'Balance (GBP)': 'balance',
    'Spending Category': 'kind',
    Notes: 'description',
  },
} satisfies WrittenLayout;
