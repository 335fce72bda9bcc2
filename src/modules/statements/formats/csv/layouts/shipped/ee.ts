import type { WrittenLayout } from '../written-layout.js';

export const EE: readonly WrittenLayout[] = [
  {
    name: 'ee/lhv',
    columns: {
      'Customer account no': 'note',
      'Document no': 'note',
      Date: 'date',
      'Sender/receiver account': 'counterpartyAccount',
      'Sender/receiver name': 'counterparty',
      'Sender bank code': 'note',
      Empty: 'note',
      'Debit/Credit (D/C)': 'direction',
      Amount: 'amount',
      'Reference number': 'reference',
      'Archiving code': 'note',
      Description: 'description',
      Fee: 'fee',
      Currency: 'currency',
      'Personal code or register code': 'note',
    },
  },
];
