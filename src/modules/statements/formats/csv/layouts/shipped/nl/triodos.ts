import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'nl/triodos',
  width: 9,
  dates: 'day-month',
  columns: {
    '1': 'date',
    '2': 'ownAccount',
    '3': 'amount',
    '4': 'direction',
    '5': 'counterparty',
    '6': 'counterpartyAccount',
    '7': 'kind',
    '8': 'description',
    '9': 'balance',
  },
} satisfies WrittenLayout;
