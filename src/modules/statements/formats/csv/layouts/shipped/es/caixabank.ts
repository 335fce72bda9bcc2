import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'es/caixabank',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Fecha: 'date',
    'Fecha valor': 'valueDate',
    Movimiento: 'description',
    'Más datos': 'description',
    Importe: 'amount',
    Saldo: 'balance',
  },
} satisfies WrittenLayout;
