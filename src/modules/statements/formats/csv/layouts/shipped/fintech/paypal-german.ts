import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fintech/paypal-german',
  amounts: 'signed',
  columns: {
    Datum: 'date',
    Uhrzeit: 'ignore',
    Zeitzone: 'ignore',
    Name: 'counterparty',
    Typ: 'kind',
    Status: 'status',
    Währung: 'currency',
    Brutto: 'note',
    Entgelt: 'note',
    Netto: 'amount',
    'Absender E-Mail-Adresse': 'note',
    'Empfänger E-Mail-Adresse': 'note',
    Transaktionscode: 'bankReference',
    Guthaben: 'balance',
  },
} satisfies WrittenLayout;
