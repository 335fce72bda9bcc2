import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/boursobank',
  amounts: 'signed',
  columns: {
    dateOp: 'bookingDate',
    dateVal: 'valueDate',
    label: 'description',
    category: 'kind',
    categoryParent: 'kind',
    supplierFound: 'counterparty',
    amount: 'amount',
    comment: 'description',
    accountNum: 'ownAccount',
    accountLabel: 'holder',
    accountbalance: 'ignore',
  },
} satisfies WrittenLayout;
