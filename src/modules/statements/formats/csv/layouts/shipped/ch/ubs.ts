import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'ch/ubs',
  columns: {
    Abschlussdatum: 'date',
    Abschlusszeit: 'ignore',
    Buchungsdatum: 'bookingDate',
    Valutadatum: 'valueDate',
    Währung: 'currency',
    Belastung: 'debit',
    Gutschrift: 'credit',
    Einzelbetrag: 'note',
    Saldo: 'balance',
    'Transaktions-Nr.': 'bankReference',
    Beschreibung1: 'description',
    Beschreibung2: 'description',
    Beschreibung3: 'description',
    Fussnoten: 'note',
  },
} satisfies WrittenLayout;
