import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'uk/monzo',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    'Transaction ID': 'bankReference',
    Date: 'date',
    Time: 'ignore',
    Type: 'kind',
    Name: 'counterparty',
    Emoji: 'ignore',
    Category: 'kind',
    Amount: 'amount',
    Currency: 'currency',
    'Local amount': 'note',
    'Local currency': 'note',
    'Notes and #tags': 'description',
    Address: 'counterpartyAddress',
    Receipt: 'ignore',
    Description: 'description',
    'Category split': 'ignore',
    'Money Out': 'debit',
    'Money In': 'credit',
  },
} satisfies WrittenLayout;
