import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'pl/pko-bp',
  amounts: 'signed',
  columns: {
    'Data operacji': 'bookingDate',
    'Data waluty': 'valueDate',
    'Typ transakcji': 'kind',
    Kwota: 'amount',
    Waluta: 'currency',
    'Saldo po transakcji': 'balance',
    'Opis transakcji': 'description',
  },
} satisfies WrittenLayout;
