import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'es/santander',
  dates: 'day-month',
  columns: {
    'Fecha Operación': 'bookingDate',
    'Fecha Valor': 'valueDate',
    Concepto: 'description',
    Importe: 'amount',
    Saldo: 'balance',
  },
} satisfies WrittenLayout;
