import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/cic',
  dates: 'day-month',
  columns: {
    Date: 'date',
    'Date de valeur': 'valueDate',
    Débit: 'debit',
    Crédit: 'credit',
    Libellé: 'description',
    Solde: 'balance',
  },
} satisfies WrittenLayout;
