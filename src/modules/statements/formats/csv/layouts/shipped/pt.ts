import type { WrittenLayout } from '../written-layout.js';

export const PT: readonly WrittenLayout[] = [
  {
    name: 'pt/cgd',
    dates: 'day-month',
    columns: {
      'Data mov.': 'bookingDate',
      'Data valor': 'valueDate',
      Descrição: 'description',
      Débito: 'debit',
      Crédito: 'credit',
      'Saldo contabilístico': 'balance',
      'Saldo disponível': 'ignore',
      Categoria: 'kind',
    },
  },
  {
    name: 'pt/millennium-bcp',
    amounts: 'signed',
    dates: 'day-month',
    columns: {
      'Data lançamento': 'bookingDate',
      'Data valor': 'valueDate',
      Descrição: 'description',
      Montante: 'amount',
      Tipo: 'kind',
      Saldo: 'balance',
    },
  },
];
