import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/deutsche-bank-iban',
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
    'Fremde Gebühren': 'note',
    Betrag: 'amount',
    'Abweichender Empfänger': 'note',
    'Anzahl der Aufträge': 'note',
    'Anzahl der Schecks': 'note',
    Soll: 'debit',
    Haben: 'credit',
    Währung: 'currency',
  },
} satisfies WrittenLayout;
