import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'nl/ing-english',
  columns: {
    Date: 'date',
    'Name / Description': 'description',
    Account: 'ownAccount',
    Counterparty: 'counterpartyAccount',
    Code: 'kind',
    'Debit/credit': 'direction',
    'Amount (EUR)': 'amount',
    'Transaction type': 'kind',
    Notifications: 'description',
    'Resulting balance': 'balance',
    Tag: 'note',
  },
} satisfies WrittenLayout;
