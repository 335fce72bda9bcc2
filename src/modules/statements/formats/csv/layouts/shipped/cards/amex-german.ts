import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/amex-german',
  amounts: 'charges-positive',
  columns: {
    Datum: 'date',
    Beschreibung: 'description',
    Karteninhaber: 'holder',
    'Konto #': 'ownAccount',
    Betrag: 'amount',
  },
} satisfies WrittenLayout;
