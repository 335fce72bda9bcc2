import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fintech/paypal',
  amounts: 'signed',
  columns: {
    Date: 'date',
    Time: 'ignore',
    TimeZone: 'ignore',
    Name: 'counterparty',
    Type: 'kind',
    Status: 'status',
    Currency: 'currency',
    Gross: 'note',
    Fee: 'note',
    Net: 'amount',
    'From Email Address': 'note',
    'To Email Address': 'note',
    'Transaction ID': 'bankReference',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
