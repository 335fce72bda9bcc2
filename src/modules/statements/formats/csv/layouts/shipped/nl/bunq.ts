import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'nl/bunq',
  amounts: 'signed',
  columns: {
    Date: 'date',
    'Interest Date': 'valueDate',
    Amount: 'amount',
    Account: 'ownAccount',
    Counterparty: 'counterpartyAccount',
    Name: 'counterparty',
    Description: 'description',
  },
} satisfies WrittenLayout;
