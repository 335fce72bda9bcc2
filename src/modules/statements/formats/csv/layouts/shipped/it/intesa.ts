import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'it/intesa',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Data: 'date',
    Operazione: 'description',
    Dettagli: 'description',
    'Conto o carta': 'ownAccount',
    Contabilizzazione: 'status',
    Categoria: 'kind',
    Valuta: 'currency',
    Importo: 'amount',
  },
} satisfies WrittenLayout;
