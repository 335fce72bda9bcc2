import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'pl/ing',
  amounts: 'signed',
  columns: {
    'Data transakcji': 'date',
    'Data księgowania': 'bookingDate',
    'Dane kontrahenta': 'counterparty',
    Tytuł: 'description',
    'Nr rachunku': 'counterpartyAccount',
    'Nazwa banku': 'note',
    Szczegóły: 'description',
    'Nr transakcji': 'bankReference',
    'Kwota transakcji (waluta rachunku)': 'amount',
    Waluta: 'currency',
    'Kwota blokady/zwolnienie blokady': 'note',
    'Kwota płatności w walucie': 'note',
    Konto: 'ownAccount',
    'Saldo po transakcji': 'balance',
  },
} satisfies WrittenLayout;
