import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'at/erste-george',
  amounts: 'signed',
  columns: {
    Buchungsdatum: 'bookingDate',
    Partnername: 'counterparty',
    'Partner IBAN': 'counterpartyAccount',
    'BIC/SWIFT': 'ignore',
    'Partner Kontonummer': 'counterpartyAccount',
    Bankleitzahl: 'ignore',
    Betrag: 'amount',
    Währung: 'currency',
    'Buchungs-Info': 'description',
    Zahlungsreferenz: 'description',
  },
} satisfies WrittenLayout;
