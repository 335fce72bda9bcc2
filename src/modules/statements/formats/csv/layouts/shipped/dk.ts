import type { WrittenLayout } from '../written-layout.js';

export const DK: readonly WrittenLayout[] = [
  {
    name: 'dk/danske-bank',
    amounts: 'signed',
    columns: {
      Dato: 'date',
      Tekst: 'description',
      Beløb: 'amount',
      Saldo: 'balance',
      Status: 'status',
      Afstemt: 'ignore',
    },
  },
  {
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
  },
];
