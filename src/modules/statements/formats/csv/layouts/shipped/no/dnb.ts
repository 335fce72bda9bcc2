import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'no/dnb',
  columns: {
    Dato: 'date',
    Forklaring: 'description',
    Rentedato: 'valueDate',
    'Ut fra konto': 'debit',
    'Inn på konto': 'credit',
  },
} satisfies WrittenLayout;
