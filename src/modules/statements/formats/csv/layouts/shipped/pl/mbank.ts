import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'pl/mbank',
  columns: {
    '#Data operacji': 'bookingDate',
    '#Opis operacji': 'description',
    '#Rachunek': 'ownAccount',
    '#Kategoria': 'kind',
    '#Kwota': 'amount',
  },
} satisfies WrittenLayout;
