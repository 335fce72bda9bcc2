import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'de/volksbank',
  amounts: 'signed',
  columns: {
    'Bezeichnung Auftragskonto': 'note',
    'IBAN Auftragskonto': 'ownAccount',
    'BIC Auftragskonto': 'note',
    'Bankname Auftragskonto': 'note',
    Buchungstag: 'bookingDate',
    Valutadatum: 'valueDate',
    'Name Zahlungsbeteiligter': 'counterparty',
    'IBAN Zahlungsbeteiligter': 'counterpartyAccount',
    'BIC (SWIFT-Code) Zahlungsbeteiligter': 'note',
    Buchungstext: 'kind',
    Verwendungszweck: 'description',
    Betrag: 'amount',
    Waehrung: 'currency',
    'Saldo nach Buchung': 'balance',
    Bemerkung: 'note',
    Kategorie: 'kind',
    Steuerrelevant: 'note',
    'Glaeubiger ID': 'reference',
    Mandatsreferenz: 'reference',
  },
} satisfies WrittenLayout;
