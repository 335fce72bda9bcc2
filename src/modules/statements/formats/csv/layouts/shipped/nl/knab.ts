import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'nl/knab',
  dates: 'day-month',
  columns: {
    Rekeningnummer: 'ownAccount',
    Transactiedatum: 'date',
    Valutacode: 'currency',
    CreditDebet: 'direction',
    Bedrag: 'amount',
    Tegenrekeningnummer: 'counterpartyAccount',
    Tegenrekeninghouder: 'counterparty',
    Valutadatum: 'valueDate',
    Betaalwijze: 'kind',
    Omschrijving: 'description',
    'Type betaling': 'kind',
    Machtigingsnummer: 'reference',
    'Incassant ID': 'reference',
    Adres: 'counterpartyAddress',
    Referentie: 'reference',
    Boekdatum: 'bookingDate',
  },
} satisfies WrittenLayout;
