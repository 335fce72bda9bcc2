import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'be/ing',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Rekeningnummer: 'ownAccount',
    'Naam van de rekening': 'holder',
    'Rekening tegenpartij': 'counterpartyAccount',
    Omzetnummer: 'bankReference',
    Boekingsdatum: 'bookingDate',
    Valutadatum: 'valueDate',
    Bedrag: 'amount',
    Munteenheid: 'currency',
    Omschrijving: 'description',
    'Detail van de omzet': 'description',
    Bericht: 'description',
  },
} satisfies WrittenLayout;
