import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'it/unicredit',
  columns: {
    'Data Registrazione': 'bookingDate',
    'Data valuta': 'valueDate',
    Descrizione: 'description',
    'Importo (EUR)': 'amount',
  },
} satisfies WrittenLayout;
