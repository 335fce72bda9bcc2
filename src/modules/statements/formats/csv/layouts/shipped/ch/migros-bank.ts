import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ch/migros-bank',
  amounts: 'signed',
  columns: {
    Datum: 'date',
    Buchungstext: 'kind',
    Mitteilung: 'description',
    Referenznummer: 'reference',
    Betrag: 'amount',
    Saldo: 'balance',
    Valuta: 'valueDate',
  },
} satisfies WrittenLayout;
