import type { WrittenLayout } from '../written-layout.js';

export const SE: readonly WrittenLayout[] = [
  {
    name: 'se/handelsbanken',
    columns: {
      Reskontradatum: 'bookingDate',
      Transaktionsdatum: 'date',
      Text: 'description',
      Belopp: 'amount',
      Saldo: 'balance',
    },
  },
  {
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
  },
  {
    name: 'se/seb',
    amounts: 'signed',
    columns: {
      Bokföringsdatum: 'bookingDate',
      Valutadatum: 'valueDate',
      Verifikationsnummer: 'bankReference',
      Text: 'description',
      Belopp: 'amount',
      Saldo: 'balance',
    },
  },
  {
    name: 'se/swedbank',
    amounts: 'signed',
    columns: {
      Radnummer: 'ignore',
      Clearingnummer: 'ignore',
      Kontonummer: 'ownAccount',
      Produkt: 'note',
      Valuta: 'currency',
      Bokföringsdag: 'bookingDate',
      Transaktionsdag: 'date',
      Valutadag: 'valueDate',
      Referens: 'reference',
      Beskrivning: 'description',
      Belopp: 'amount',
      'Bokfört saldo': 'balance',
    },
  },
];
