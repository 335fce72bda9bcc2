import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/sparkasse',
  amounts: 'signed',
  columns: {
    Auftragskonto: 'ownAccount',
    Buchungstag: 'bookingDate',
    Valutadatum: 'valueDate',
    Buchungstext: 'kind',
    Verwendungszweck: 'description',
    'Glaeubiger ID': 'reference',
    Mandatsreferenz: 'reference',
    'Kundenreferenz (End-to-End)': 'reference',
    Sammlerreferenz: 'reference',
    'Lastschrift Ursprungsbetrag': 'note',
    'Auslagenersatz Ruecklastschrift': 'note',
    'Beguenstigter/Zahlungspflichtiger': 'counterparty',
    'Kontonummer/IBAN': 'counterpartyAccount',
    'BIC (SWIFT-Code)': 'ignore',
    Betrag: 'amount',
    Waehrung: 'currency',
    Info: 'status',
  },
} satisfies WrittenLayout;
