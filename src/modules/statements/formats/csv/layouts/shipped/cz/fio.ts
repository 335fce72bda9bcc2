import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'cz/fio',
  amounts: 'signed',
  columns: {
    'ID pohybu': 'bankReference',
    Datum: 'date',
    Objem: 'amount',
    Měna: 'currency',
    Protiúčet: 'counterpartyAccount',
    'Název protiúčtu': 'counterparty',
    'Kód banky': 'ignore',
    'Název banky': 'note',
    KS: 'reference',
    VS: 'reference',
    SS: 'reference',
    'Uživatelská identifikace': 'description',
    'Zpráva pro příjemce': 'description',
    Typ: 'kind',
    Provedl: 'note',
    Upřesnění: 'description',
    Komentář: 'description',
    BIC: 'ignore',
    'ID pokynu': 'bankReference',
  },
} satisfies WrittenLayout;
