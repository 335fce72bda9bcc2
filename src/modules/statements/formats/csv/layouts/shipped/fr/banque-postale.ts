import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/banque-postale',
  dates: 'day-month',
  columns: {
    Date: 'date',
    Libellé: 'description',
    'Montant(EUROS)': 'amount',
  },
} satisfies WrittenLayout;
