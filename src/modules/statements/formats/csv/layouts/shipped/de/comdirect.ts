import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/comdirect',
  columns: {
    Buchungstag: 'bookingDate',
    'Wertstellung (Valuta)': 'valueDate',
    Vorgang: 'kind',
    Buchungstext: 'description',
    'Umsatz in EUR': 'amount',
  },
} satisfies WrittenLayout;
