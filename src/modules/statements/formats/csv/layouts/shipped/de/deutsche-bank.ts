import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/deutsche-bank',
  amounts: 'signed',
  columns: {
    Buchungstag: 'bookingDate',
    Wert: 'valueDate',
    Umsatzart: 'kind',
    'Begünstigter / Auftraggeber': 'counterparty',
    Verwendungszweck: 'description',
    IBAN: 'ownAccount',
    BIC: 'ignore',
    Kundenreferenz: 'reference',
    Mandatsreferenz: 'reference',
    'Gläubiger ID': 'reference',
    'Fremde Gebühren': 'note',
    Betrag: 'amount',
    'Abweichender Empfänger': 'note',
    'Anzahl der Aufträge': 'note',
    'Anzahl der Schecks': 'note',
    Soll: 'ignore',
    Haben: 'ignore',
    Währung: 'currency',
  },
} satisfies WrittenLayout;
