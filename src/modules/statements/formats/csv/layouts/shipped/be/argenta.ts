import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'be/argenta',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Rekening: 'ownAccount',
    Boekdatum: 'bookingDate',
    Valutadatum: 'valueDate',
    Referentie: 'reference',
    Beschrijving: 'description',
    Bedrag: 'amount',
    Munt: 'currency',
    Verrichtingsdatum: 'date',
    'Rekening tegenpartij': 'counterpartyAccount',
    'Naam tegenpartij': 'counterparty',
    Mededeling: 'description',
  },
} satisfies WrittenLayout;
