import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'dk/danske-bank',
  amounts: 'signed',
  columns: {
    Dato: 'date',
    Tekst: 'description',
    Beløb: 'amount',
    Saldo: 'balance',
    Status: 'status',
    Afstemt: 'ignore',
  },
} satisfies WrittenLayout;
