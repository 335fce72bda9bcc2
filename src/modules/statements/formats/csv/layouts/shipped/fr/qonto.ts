import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/qonto',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Status: 'status',
    'Settlement date (UTC)': 'bookingDate',
    'Operation date (UTC)': 'date',
    'Counterparty name': 'counterparty',
    'Transaction type': 'kind',
    'Payment method': 'kind',
    'Total amount (incl. VAT)': 'amount',
    Debit: 'debit',
    Credit: 'credit',
    Currency: 'currency',
    'Local amount (incl. VAT)': 'note',
    'Local currency': 'note',
    Reference: 'reference',
    Initiator: 'note',
    Balance: 'balance',
  },
} satisfies WrittenLayout;
