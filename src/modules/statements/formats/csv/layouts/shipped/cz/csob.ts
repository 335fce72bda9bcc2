import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cz/csob',
  amounts: 'signed',
  columns: {
    'číslo účtu': 'ownAccount',
    'datum zaúčtování': 'bookingDate',
    částka: 'amount',
    měna: 'currency',
    zůstatek: 'balance',
    'číslo účtu protiúčtu': 'counterpartyAccount',
    'kód banky': 'ignore',
    'název protiúčtu': 'counterparty',
    'konstantní symbol': 'reference',
    'variabilní symbol': 'reference',
    'specifický symbol': 'reference',
    'označení operace': 'note',
    'ID transakce': 'note',
    poznámka: 'description',
  },
} satisfies WrittenLayout;
