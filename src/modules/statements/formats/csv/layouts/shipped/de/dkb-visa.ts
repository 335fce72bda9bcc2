import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/dkb-visa',
  amounts: 'signed',
  columns: {
    Belegdatum: 'date',
    Wertstellung: 'valueDate',
    Status: 'status',
    Beschreibung: 'description',
    Umsatztyp: 'kind',
    Betrag: 'amount',
    Fremdwährungsbetrag: 'note',
  },
} satisfies WrittenLayout;
