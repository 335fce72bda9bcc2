import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/ing',
  amounts: 'signed',
  columns: {
    Buchung: 'bookingDate',
    Wertstellungsdatum: 'valueDate',
    'Auftraggeber/Empfänger': 'counterparty',
    Buchungstext: 'kind',
    Verwendungszweck: 'description',
    Saldo: 'balance',
    Währung: 'currency',
    Betrag: 'amount',
  },
} satisfies WrittenLayout;
