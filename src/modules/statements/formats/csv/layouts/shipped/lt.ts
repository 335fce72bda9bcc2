import type { WrittenLayout } from '../written-layout.js';

export const LT: readonly WrittenLayout[] = [
  {
    name: 'lt/swedbank',
    columns: {
      'Account No': 'ownAccount',
      Date: 'date',
      Beneficiary: 'payee',
      Details: 'description',
      Amount: 'amount',
      Currency: 'currency',
      'D/K': 'direction',
      'Record ID': 'bankReference',
      Code: 'kind',
    },
  },
];
