import type { WrittenLayout } from '../written-layout.js';

export const PL: readonly WrittenLayout[] = [
  {
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
  },
  {
    name: 'pl/mbank',
    columns: {
      '#Data operacji': 'bookingDate',
      '#Opis operacji': 'description',
      '#Rachunek': 'ownAccount',
      '#Kategoria': 'kind',
      '#Kwota': 'amount',
    },
  },
  {
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
  },
  {
    name: 'pl/pko-bp',
    amounts: 'signed',
    columns: {
      'Data operacji': 'bookingDate',
      'Data waluty': 'valueDate',
      'Typ transakcji': 'kind',
      Kwota: 'amount',
      Waluta: 'currency',
      'Saldo po transakcji': 'balance',
      'Opis transakcji': 'description',
    },
  },
];
