import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'se/swedbank',
  amounts: 'signed',
  columns: {
    Radnummer: 'ignore',
    Clearingnummer: 'ignore',
    Kontonummer: 'ownAccount',
    Produkt: 'note',
    Valuta: 'currency',
    Bokföringsdag: 'bookingDate',
    Transaktionsdag: 'date',
    Valutadag: 'valueDate',
    Referens: 'reference',
    Beskrivning: 'description',
    Belopp: 'amount',
    'Bokfört saldo': 'balance',
  },
} satisfies WrittenLayout;
