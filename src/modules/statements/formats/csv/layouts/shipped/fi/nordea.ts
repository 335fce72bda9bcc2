import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fi/nordea',
  amounts: 'signed',
  columns: {
    Kirjauspäivä: 'bookingDate',
    Määrä: 'amount',
    Maksaja: 'payer',
    Maksunsaaja: 'payee',
    Nimi: 'counterparty',
    Otsikko: 'description',
    Viitenumero: 'reference',
    Valuutta: 'currency',
  },
} satisfies WrittenLayout;
