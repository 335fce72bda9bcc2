import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ch/postfinance',
  columns: {
    Datum: 'date',
    Bewegungstyp: 'kind',
    Avisierungstext: 'description',
    'Gutschrift in CHF': 'credit',
    'Lastschrift in CHF': 'debit',
    Label: 'description',
    Kategorie: 'kind',
    Valuta: 'valueDate',
    'Saldo in CHF': 'balance',
  },
} satisfies WrittenLayout;
