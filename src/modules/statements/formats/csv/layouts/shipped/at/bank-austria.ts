import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'at/bank-austria',
  amounts: 'signed',
  columns: {
    Buchungsdatum: 'bookingDate',
    Valutadatum: 'valueDate',
    Buchungstext: 'kind',
    'Interne Notiz': 'description',
    Währung: 'currency',
    Betrag: 'amount',
    Belegdaten: 'description',
    Belegnummer: 'bankReference',
    Auftraggebername: 'payer',
    Auftraggeberkonto: 'counterpartyAccount',
    'Auftraggeber BLZ': 'ignore',
    Empfängername: 'payee',
    Empfängerkonto: 'counterpartyAccount',
    'Empfänger BLZ': 'ignore',
    Zahlungsgrund: 'description',
  },
} satisfies WrittenLayout;
