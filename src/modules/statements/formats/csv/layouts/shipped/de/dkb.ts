import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/dkb',
  amounts: 'signed',
  columns: {
    Buchungsdatum: 'bookingDate',
    Wertstellung: 'valueDate',
    Status: 'status',
    'Zahlungspflichtige*r': 'payer',
    'Zahlungsempfänger*in': 'payee',
    Verwendungszweck: 'description',
    Umsatztyp: 'kind',
    IBAN: 'counterpartyAccount',
    'Betrag (€)': 'amount',
    'Gläubiger-ID': 'reference',
    Mandatsreferenz: 'reference',
    Kundenreferenz: 'reference',
  },
} satisfies WrittenLayout;
