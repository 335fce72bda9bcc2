import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/hypovereinsbank',
  amounts: 'signed',
  columns: {
    Kontonummer: 'ownAccount',
    Buchungsdatum: 'bookingDate',
    Valuta: 'valueDate',
    'Empfaenger 1': 'payee',
    'Empfaenger 2': 'payee',
    Verwendungszweck: 'description',
    Betrag: 'amount',
    Waehrung: 'currency',
  },
} satisfies WrittenLayout;
