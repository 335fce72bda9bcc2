import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'es/bbva',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    'F.Valor': 'valueDate',
    Fecha: 'date',
    Concepto: 'description',
    Movimiento: 'description',
    Importe: 'amount',
    Divisa: 'currency',
    Disponible: 'balance',
    Observaciones: 'description',
  },
} satisfies WrittenLayout;
