import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ch/zkb',
  columns: {
    Datum: 'date',
    Buchungstext: 'kind',
    Whg: 'currency',
    'Betrag Detail': 'note',
    'ZKB-Referenz': 'bankReference',
    Referenznummer: 'reference',
    'Belastung CHF': 'debit',
    'Gutschrift CHF': 'credit',
    Valuta: 'valueDate',
    'Saldo CHF': 'balance',
    Zahlungszweck: 'description',
  },
} satisfies WrittenLayout;
