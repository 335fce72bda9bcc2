import type { WrittenLayout } from '../../written-layout.js';

export default {
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
} satisfies WrittenLayout;
