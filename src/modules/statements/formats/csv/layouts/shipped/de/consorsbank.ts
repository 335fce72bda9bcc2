import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/consorsbank',
  amounts: 'signed',
  columns: {
    Buchung: 'bookingDate',
    Valuta: 'valueDate',
    'Sender / Empfänger': 'counterparty',
    'IBAN / Konto-Nr.': 'counterpartyAccount',
    'BIC / BLZ': 'ignore',
    Buchungstext: 'kind',
    Verwendungszweck: 'description',
    Kategorie: 'kind',
    Stichwörter: 'kind',
    'Umsatz geteilt': 'ignore',
    'Betrag in EUR': 'amount',
  },
} satisfies WrittenLayout;
