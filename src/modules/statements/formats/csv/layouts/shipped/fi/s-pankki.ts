import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fi/s-pankki',
  amounts: 'signed',
  columns: {
    Kirjauspäivä: 'bookingDate',
    Maksupäivä: 'date',
    Summa: 'amount',
    Tapahtumalaji: 'kind',
    Maksaja: 'payer',
    'Saajan nimi': 'payee',
    'Saajan tilinumero': 'counterpartyAccount',
    'Saajan BIC-tunnus': 'ignore',
    Viitenumero: 'reference',
    Viesti: 'description',
    Arkistointitunnus: 'bankReference',
  },
} satisfies WrittenLayout;
