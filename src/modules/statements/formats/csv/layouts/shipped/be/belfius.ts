import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'be/belfius',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Rekening: 'ownAccount',
    Boekingsdatum: 'bookingDate',
    Rekeninguittrekselnummer: 'note',
    Transactienummer: 'bankReference',
    'Rekening tegenpartij': 'counterpartyAccount',
    'Naam tegenpartij bevat': 'counterparty',
    'Straat en nummer': 'counterpartyAddress',
    'Postcode en plaats': 'counterpartyAddress',
    Transactie: 'description',
    Valutadatum: 'valueDate',
    Bedrag: 'amount',
    Devies: 'currency',
    BIC: 'ignore',
    Landcode: 'ignore',
    Mededelingen: 'description',
  },
} satisfies WrittenLayout;
