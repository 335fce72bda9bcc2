import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ch/raiffeisen',
  amounts: 'signed',
  columns: {
    IBAN: 'ownAccount',
    'Booked At': 'bookingDate',
    Text: 'description',
    'Credit/Debit Amount': 'amount',
    Balance: 'balance',
    'Valuta Date': 'valueDate',
  },
} satisfies WrittenLayout;
