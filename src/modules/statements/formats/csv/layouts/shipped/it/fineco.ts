import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'it/fineco',
  dates: 'day-month',
  columns: {
    Data_Operazione: 'bookingDate',
    Data_Valuta: 'valueDate',
    Entrate: 'credit',
    Uscite: 'debit',
    Descrizione: 'description',
    Descrizione_Completa: 'description',
    Stato: 'status',
  },
} satisfies WrittenLayout;
