import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'nl/ing',
  columns: {
    Datum: 'date',
    'Naam / Omschrijving': 'counterparty',
    Rekening: 'ownAccount',
    Tegenrekening: 'counterpartyAccount',
    Code: 'kind',
    'Af Bij': 'direction',
    'Bedrag (EUR)': 'amount',
    Mutatiesoort: 'kind',
    Mededelingen: 'description',
    'Saldo na mutatie': 'balance',
    Tag: 'note',
  },
} satisfies WrittenLayout;
