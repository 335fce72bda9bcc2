import type { WrittenLayout } from '../written-layout.js';

export const IT: readonly WrittenLayout[] = [
  {
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
  },
  {
    name: 'it/intesa',
    amounts: 'signed',
    dates: 'day-month',
    columns: {
      Data: 'date',
      Operazione: 'description',
      Dettagli: 'description',
      'Conto o carta': 'ownAccount',
      Contabilizzazione: 'status',
      Categoria: 'kind',
      Valuta: 'currency',
      Importo: 'amount',
    },
  },
  {
    name: 'it/poste',
    dates: 'day-month',
    columns: {
      'Data Contabile': 'bookingDate',
      'Data Valuta': 'valueDate',
      'Addebiti (euro)': 'debit',
      'Accrediti (euro)': 'credit',
      'Descrizione operazioni': 'description',
    },
  },
  {
    name: 'it/unicredit',
    columns: {
      'Data Registrazione': 'bookingDate',
      'Data valuta': 'valueDate',
      Descrizione: 'description',
      'Importo (EUR)': 'amount',
    },
  },
];
