import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'se/nordea',
  amounts: 'signed',
  columns: {
    Bokföringsdag: 'bookingDate',
    Belopp: 'amount',
    Avsändare: 'payer',
    Mottagare: 'payee',
    Namn: 'counterparty',
    Rubrik: 'description',
    Saldo: 'balance',
    Valuta: 'currency',
  },
} satisfies WrittenLayout;
