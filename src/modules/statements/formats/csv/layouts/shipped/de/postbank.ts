import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/postbank',
  amounts: 'signed',
  columns: {
    Buchungstag: 'bookingDate',
    Wert: 'valueDate',
    Umsatzart: 'kind',
    'Begünstigter / Auftraggeber': 'counterparty',
    Verwendungszweck: 'description',
    'IBAN / Kontonummer': 'counterpartyAccount',
    BIC: 'ignore',
    Kundenreferenz: 'reference',
    Mandatsreferenz: 'reference',
    'Gläubiger ID': 'reference',
    Betrag: 'amount',
    Soll: 'debit',
    Haben: 'credit',
    Währung: 'currency',
  },
} satisfies WrittenLayout;
