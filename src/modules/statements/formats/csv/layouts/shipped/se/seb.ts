import type { WrittenLayout } from '../../written-layout.js';

export default {
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
} satisfies WrittenLayout;
