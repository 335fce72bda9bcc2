import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'nl/ing-2020',
  columns: {
    Datum: 'date',
    'Naam / Omschrijving': 'counterparty',
    Rekening: 'ownAccount',
    Tegenrekening: 'counterpartyAccount',
    Code: 'kind',
    'Af Bij': 'direction',
    'Bedrag (EUR)': 'amount',
    MutatieSoort: 'kind',
    Mededelingen: 'description',
  },
} satisfies WrittenLayout;
