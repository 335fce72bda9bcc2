import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'dk/nordea',
  amounts: 'signed',
  columns: {
    Bogføringsdato: 'bookingDate',
    Beløb: 'amount',
    Afsender: 'payer',
    Modtager: 'payee',
    Navn: 'counterparty',
    Beskrivelse: 'description',
    Saldo: 'balance',
    Valuta: 'currency',
    Afstemt: 'ignore',
  },
} satisfies WrittenLayout;
