import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'no/nordea',
  amounts: 'signed',
  columns: {
    Bokføringsdato: 'bookingDate',
    Beløp: 'amount',
    Avsender: 'payer',
    Mottaker: 'payee',
    Navn: 'counterparty',
    Tittel: 'description',
    Valuta: 'currency',
    Betalingstype: 'kind',
  },
} satisfies WrittenLayout;
