import type { WrittenLayout } from '../../written-layout.js';

export default {
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
} satisfies WrittenLayout;
