import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'se/handelsbanken',
  columns: {
    Reskontradatum: 'bookingDate',
    Transaktionsdatum: 'date',
    Text: 'description',
    Belopp: 'amount',
    Saldo: 'balance',
  },
} satisfies WrittenLayout;
