import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fintech/wise',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    'TransferWise ID': 'bankReference',
    Date: 'date',
    Amount: 'amount',
    Currency: 'currency',
    Description: 'description',
    'Payment Reference': 'description',
    'Running Balance': 'balance',
    'Exchange From': 'note',
    'Exchange To': 'note',
    'Exchange Rate': 'note',
    'Payer Name': 'payer',
    'Payee Name': 'payee',
    'Payee Account Number': 'counterpartyAccount',
    Merchant: 'counterparty',
    'Card Last Four Digits': 'note',
    'Card Holder Full Name': 'holder',
    Attachment: 'ignore',
    Note: 'note',
    'Total fees': 'fee',
  },
} satisfies WrittenLayout;
