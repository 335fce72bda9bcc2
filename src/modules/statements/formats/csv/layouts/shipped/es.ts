import type { WrittenLayout } from '../written-layout.js';

export const ES: readonly WrittenLayout[] = [
  {
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
  },
  {
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
  },
  {
    name: 'es/ing',
    amounts: 'signed',
    dates: 'day-month',
    columns: {
      'F. VALOR': 'valueDate',
      CATEGORÍA: 'kind',
      SUBCATEGORÍA: 'kind',
      DESCRIPCIÓN: 'description',
      COMENTARIO: 'description',
      IMAGEN: 'ignore',
      'IMPORTE (€)': 'amount',
      'SALDO (€)': 'balance',
    },
  },
  {
    name: 'es/santander',
    dates: 'day-month',
    columns: {
      'Fecha Operación': 'bookingDate',
      'Fecha Valor': 'valueDate',
      Concepto: 'description',
      Importe: 'amount',
      Saldo: 'balance',
    },
  },
];
