import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/fortuneo',
  dates: 'day-month',
  columns: {
    'Date opération': 'bookingDate',
    'Date valeur': 'valueDate',
    libellé: 'description',
    Débit: 'debit',
    Crédit: 'credit',
  },
} satisfies WrittenLayout;
