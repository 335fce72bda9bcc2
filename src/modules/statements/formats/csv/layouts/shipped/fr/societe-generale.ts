import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/societe-generale',
  dates: 'day-month',
  columns: {
    "Date de l'opération": 'bookingDate',
    Libellé: 'description',
    "Détail de l'écriture": 'description',
    "Montant de l'opération": 'amount',
    Devise: 'currency',
  },
} satisfies WrittenLayout;
