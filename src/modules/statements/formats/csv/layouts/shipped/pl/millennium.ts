import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'pl/millennium',
  columns: {
    'Numer rachunku/karty': 'ownAccount',
    'Data transakcji': 'date',
    'Data rozliczenia': 'bookingDate',
    'Rodzaj transakcji': 'kind',
    'Na konto/Z konta': 'counterpartyAccount',
    'Odbiorca/Zleceniodawca': 'counterparty',
    Opis: 'description',
    Obciążenia: 'debit',
    Uznania: 'credit',
    Saldo: 'balance',
    Waluta: 'currency',
  },
} satisfies WrittenLayout;
