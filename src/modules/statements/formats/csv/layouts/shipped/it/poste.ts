import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'it/poste',
  dates: 'day-month',
  columns: {
    'Data Contabile': 'bookingDate',
    'Data Valuta': 'valueDate',
    'Addebiti (euro)': 'debit',
    'Accrediti (euro)': 'credit',
    'Descrizione operazioni': 'description',
  },
} satisfies WrittenLayout;
