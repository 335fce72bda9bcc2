import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'be/bnp-paribas-fortis',
  amounts: 'signed',
  dates: 'day-month',
  columns: {
    Volgnummer: 'bankReference',
    Uitvoeringsdatum: 'date',
    Valutadatum: 'valueDate',
    Bedrag: 'amount',
    'Valuta rekening': 'currency',
    Rekeningnummer: 'ownAccount',
    'Type verrichting': 'kind',
    Tegenpartij: 'counterpartyAccount',
    'Naam van de tegenpartij': 'counterparty',
    Mededeling: 'description',
    Details: 'description',
    Status: 'status',
    'Reden van weigering': 'note',
  },
} satisfies WrittenLayout;
