import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/sparkasse-mt940',
  amounts: 'signed',
  columns: {
    Auftragskonto: 'ownAccount',
    Buchungstag: 'bookingDate',
    Valutadatum: 'valueDate',
    Buchungstext: 'kind',
    Verwendungszweck: 'description',
    'Beguenstigter/Zahlungspflichtiger': 'counterparty',
    Kontonummer: 'counterpartyAccount',
    BLZ: 'ignore',
    Betrag: 'amount',
    Waehrung: 'currency',
    Info: 'status',
  },
} satisfies WrittenLayout;
