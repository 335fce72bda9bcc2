import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cards/amex-german-details',
  amounts: 'charges-positive',
  columns: {
    Datum: 'date',
    Beschreibung: 'description',
    Karteninhaber: 'holder',
    'Konto #': 'ownAccount',
    Betrag: 'amount',
    'Weitere Details': 'description',
    'Erscheint auf Ihrer Abrechnung als': 'note',
    Adresse: 'counterpartyAddress',
    Stadt: 'counterpartyAddress',
    PLZ: 'counterpartyAddress',
    Land: 'counterpartyAddress',
    Betreff: 'reference',
  },
} satisfies WrittenLayout;
