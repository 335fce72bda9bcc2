import type { WrittenLayout } from '../../written-layout.js';

export default {
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
} satisfies WrittenLayout;
