import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fi/op',
  amounts: 'signed',
  columns: {
    Kirjauspäivä: 'bookingDate',
    Arvopäivä: 'valueDate',
    'Määrä EUROA': 'amount',
    Laji: 'kind',
    Selitys: 'description',
    'Saaja/Maksaja': 'counterparty',
    'Saajan tilinumero': 'counterpartyAccount',
    'Saajan pankin BIC': 'ignore',
    Viite: 'reference',
    Viesti: 'description',
    Arkistointitunnus: 'bankReference',
  },
} satisfies WrittenLayout;
