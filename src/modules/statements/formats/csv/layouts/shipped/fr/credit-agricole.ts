import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/credit-agricole',
  dates: 'day-month',
  columns: {
    Date: 'date',
    Libellé: 'description',
    'Débit euros': 'debit',
    'Crédit euros': 'credit',
  },
} satisfies WrittenLayout;
