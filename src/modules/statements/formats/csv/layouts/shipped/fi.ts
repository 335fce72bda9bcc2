import type { WrittenLayout } from '../written-layout.js';

export const FI: readonly WrittenLayout[] = [
  {
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
  },
  {
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
  },
  {
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
  },
];
