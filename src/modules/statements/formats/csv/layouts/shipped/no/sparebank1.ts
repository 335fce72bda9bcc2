import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'no/sparebank1',
  columns: {
    Dato: 'date',
    Beskrivelse: 'description',
    Rentedato: 'valueDate',
    Inn: 'credit',
    Ut: 'debit',
    'Til konto': 'counterpartyAccount',
    'Fra konto': 'counterpartyAccount',
  },
} satisfies WrittenLayout;
