import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'be/kbc',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Rekeningnummer: 'ownAccount',
    Rubrieknaam: 'holder',
    Naam: 'ignore',
    Munt: 'currency',
    Afschriftnummer: 'note',
    Datum: 'date',
    Omschrijving: 'description',
    Valuta: 'valueDate',
    Bedrag: 'amount',
    Saldo: 'balance',
    credit: 'credit',
    debet: 'debit',
    'rekeningnummer tegenpartij': 'counterpartyAccount',
    'BIC tegenpartij': 'ignore',
    'Naam tegenpartij': 'counterparty',
    'Adres tegenpartij': 'counterpartyAddress',
    'gestructureerde mededeling': 'description',
    'Vrije mededeling': 'description',
  },
} satisfies WrittenLayout;
