import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/commerzbank',
  amounts: 'signed',
  columns: {
    Buchungstag: 'bookingDate',
    Wertstellung: 'valueDate',
    Umsatzart: 'kind',
    Buchungstext: 'description',
    Betrag: 'amount',
    Währung: 'currency',
    'IBAN Kontoinhaber': 'ownAccount',
    Kategorie: 'kind',
  },
} satisfies WrittenLayout;
