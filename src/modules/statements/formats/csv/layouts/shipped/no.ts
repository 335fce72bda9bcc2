import type { WrittenLayout } from '../written-layout.js';

export const NO: readonly WrittenLayout[] = [
  {
    name: 'no/dnb',
    columns: {
      Dato: 'date',
      Forklaring: 'description',
      Rentedato: 'valueDate',
      'Ut fra konto': 'debit',
      'Inn på konto': 'credit',
    },
  },
  {
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
  },
  {
    name: 'no/sparebank1',
    columns: {
      Dato: 'date',
      Beskrivelse: 'description',
      Rentedato: 'valueDate',
      Inn: 'credit',
      Ut: 'debit',
      'Til konto': 'counterpartyAccount',
      'Fra konto': 'counterpartyAccount',
    },
  },
];
